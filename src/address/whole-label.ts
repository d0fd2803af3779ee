import { parse } from 'tldts';
import { withoutLookAlikes } from './look-alike.ts';
import { hashSet, type NameScan } from './name-scan.ts';

/**
 * A function from a name to the target that it is except for its dots, a `www` in front, a label too many behind or letters
 * of another script; null when it is none. The rest of the name is exact, so this holds for short names too.
 */
export function createWholeLabelReader(targets: readonly string[]): (name: string, scan: NameScan) => string | null {
  const exact = new Set(targets);
  const byLetters = new Map(targets.map((domain) => [domain.replaceAll('.', ''), domain]));
  const mayBeTarget = hashSet(targets);
  const targetOf = (name: string): string | null => (exact.has(name) ? name : null);
  return (name, { isPunycode, hash, dots, restHash, last }) => {
    if (isPunycode) return targetOf(withoutLookAlikes(name) ?? '');
    if (mayBeTarget(hash)) {
      const found = byLetters.get(name.replaceAll('.', ''));
      // A further dot makes a name below another domain, which may be real.
      if (found !== undefined && (hasEmptyLabel(name) || dots < found.split('.').length)) return found;
    }
    if (name.startsWith('www')) return targetOf(name.slice(name[3] === '.' ? 4 : 3));
    return dots > 1 && mayBeTarget(restHash) && exact.has(name.slice(0, last)) ? withoutLastLabel(name, last) : null;
  };
}

/** `globo.com.br` is a name under `com.br`, not `globo.com` with a label too many; `yahoo.com.phh` has a slip in its last one. */
function withoutLastLabel(name: string, last: number): string | null {
  const { publicSuffix, isIcann } = parse(name, { extractHostname: false });
  if (publicSuffix?.includes('.') !== false) return null;
  const rest = name.slice(0, last);
  // Some country codes are no suffix by themselves: `co.za.za`.
  return isIcann === true || rest.endsWith(name.slice(last)) ? rest : null;
}

function hasEmptyLabel(name: string): boolean {
  return name.startsWith('.') || name.endsWith('.') || name.includes('..');
}
