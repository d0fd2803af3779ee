/**
 * Rejects words of the house dialect in code, tests and documents; the dictionary in CONTRIBUTING.md says what to write
 * instead. `node scripts/words.ts [path …]` lists every place, of the given paths or of the whole tree.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A word or phrase that no engineer of the field would use here, and the field's own terms. */
interface Denied {
  readonly pattern: RegExp;
  readonly instead: string;
}

const denied: readonly Denied[] = [
  // Not as test data: an account or a local part may be called nobody.
  {
    pattern: /(?<!['"`/-])\b(some|no|any)body\b(?!["'`@.,/-])|\bwhoever\b/i,
    instead: 'name the actor: client, caller, user, operator, process',
  },
  { pattern: /\b(find|finds|found|finding) out\b/i, instead: 'determine, is known, is unknown' },
  { pattern: /\b(go|goes|going|went) on\b/i, instead: 'continue' },
  { pattern: /\bin all\b(?! (cases|of|other))/i, instead: 'in total' },
  { pattern: /\b(tell|tells|told|telling) of\b|\bteller\b/i, instead: 'notify, report, describe' },
  { pattern: /\ba little\b/i, instead: 'slightly, briefly' },
  { pattern: /\bat once\b/i, instead: 'immediately, at the same time, together' },
  { pattern: /\bsettl(e|es|ed|ing)\b/i, instead: 'flush, drain, resolve, fsync, decide' },
  { pattern: /\b(give|gives|given|gave|giving) back\b/i, instead: 'release, return, put back' },
  { pattern: /\b(let|lets|letting) go\b/i, instead: 'release, evict, drop' },
  { pattern: /\bheard?\b|\bhears\b/i, instead: 'receive, refresh, last known' },
  { pattern: /\b(bury|buries|buried|errands?|wish(es)?)\b/i, instead: 'release, delivery, request' },
  { pattern: /\b(stand|stands|stood|standing) still\b|\bstandstill\b/i, instead: 'stall, pause, block' },
  { pattern: /\b(is|are|was|were|be) away\b/i, instead: 'is unavailable, is unreachable' },
  {
    pattern: /\btaken for dead\b|\bof late\b|\banew\b|\bunder way\b/i,
    instead: 'expired, recently, again, in progress',
  },
  { pattern: /\bvouch(ed|es)?\b|\bspared\b/i, instead: 'trusted, exempt, skipped' },
  { pattern: /\bmost telling\b/i, instead: 'most specific' },
  // Not the most frequent one or the most requested ones: these are superlatives, not limits.
  { pattern: /\b(most|fewest|least)(?!Frequent|Requested)[A-Z]\w*|\b(MOST|FEWEST|LEAST)_\w+/, instead: 'maxX, minX' },
  { pattern: /\b(come|comes|came) round\b|\bby turns\b|\bin one go\b/i, instead: 'repeat, alternately, together' },
];

/** Files whose text is data, is generated, or is the dictionary itself. */
const exempt = /^(CONTRIBUTING\.md|scripts\/words\.ts|openapi\.json|package-lock\.json|data\/|.*\/generated\/)/;
const checked = /\.(ts|tsx|mts|mjs|js|md|css|html|yml|yaml|sh)$/;

const root = join(import.meta.dirname, '..');
const paths = process.argv.slice(2);
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...paths], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => checked.test(file) && !exempt.test(file));

const found = files.flatMap((file) => {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.flatMap((line, index) =>
    denied
      .filter(({ pattern }) => pattern.test(line))
      .map(({ pattern, instead }) => `${file}:${index + 1}: "${pattern.exec(line)?.[0]}": write ${instead}`),
  );
});

if (found.length > 0) {
  process.stderr.write(
    `${found.join('\n')}\n${found.length} words of the deny-list; see CONTRIBUTING.md, Dictionary\n`,
  );
  process.exitCode = 1;
}
