import { createRequire } from 'node:module';

/** The rules of the public suffix list as `tldts` packs them: a trie from the TLD down, one label an edge. */
interface SuffixTrie {
  readonly nodeFlags: Uint8Array;
  readonly edgeStart: Uint16Array;
  readonly edgeLength: Uint8Array;
  readonly edgeChild: Uint16Array;
  readonly labelText: string;
  readonly rulesRoot: number;
}

/**
 * Every rule of the public suffix list, private section included, wildcards as `*.kawasaki.jp`. The library's interface
 * answers for one name only; the build needs the rules themselves, to know below which entries a suffix may lie. The
 * version is pinned, and a test compares the rules with the library's answers.
 */
export function suffixRules(): string[] {
  const trie: SuffixTrie = createRequire(import.meta.url)('tldts/dist/cjs/src/data/trie.js');
  const labelStarts = new Uint32Array(trie.edgeLength.length + 1);
  trie.edgeLength.forEach((length, edge) => {
    labelStarts[edge + 1] = (labelStarts[edge] as number) + length;
  });
  if (labelStarts.at(-1) !== trie.labelText.length)
    throw new Error('tldts packs its rules in another way than expected');
  const rules: string[] = [];
  const descend = (node: number, below: string): void => {
    for (let edge = trie.edgeStart[node] as number; edge < (trie.edgeStart[node + 1] as number); edge += 1) {
      const label = trie.labelText.slice(labelStarts[edge], labelStarts[edge + 1]);
      const rule = below === '' ? label : `${label}.${below}`;
      const child = trie.edgeChild[edge] as number;
      if (trie.nodeFlags[child] !== 0) rules.push(rule);
      descend(child, rule);
    }
  };
  descend(trie.rulesRoot, '');
  return rules;
}

/** The names that have a public suffix somewhere below them: `uk` (co.uk), `amazonaws.com` (s3.amazonaws.com). */
export function suffixParents(): Set<string> {
  const parents = new Set<string>();
  for (const rule of suffixRules()) {
    for (let at = rule.indexOf('.'); at >= 0; at = rule.indexOf('.', at + 1)) parents.add(rule.slice(at + 1));
  }
  return parents;
}
