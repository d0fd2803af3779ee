import table from '../../data/normalisation.json' with { type: 'json' };
import type { Address } from './address.ts';
import type { Domain } from './domain.ts';
import { quoteIfNeeded, unquote } from './local-part.ts';

/** A provider's change to a local part before it looks up the mailbox. */
interface Step {
  /** Characters that do not count. */
  readonly drop?: string;
  /** A separator that starts a tag, like `+` everywhere. */
  readonly cutFrom?: string;
  /** A character that counts as another. */
  readonly replace?: string;
  readonly with?: string;
}

interface Family {
  readonly domains: readonly string[];
  readonly foldTo?: string;
  readonly userInSubdomain?: boolean;
  readonly steps: readonly Step[];
}

type Change = (content: string) => string;

interface Rules {
  readonly foldTo: string | null;
  readonly userInSubdomain: boolean;
  readonly changes: readonly Change[];
}

const families: readonly Family[] = table.families;
/** By domain. */
const exact = new Map<string, Rules>();
for (const family of families) {
  const rules = {
    foldTo: family.foldTo ?? null,
    userInSubdomain: family.userInSubdomain === true,
    changes: family.steps.map(compile),
  };
  for (const domain of family.domains) exact.set(domain, rules);
}

/** The identity of a mailbox: one text for every way its provider lets the address be written. Not for delivery. */
export function normalizeAddress(address: Address): string {
  const { domain } = address;
  let content = cutFrom('+', foldCase(unquote(address.localPart)));
  const rules = rulesOf(domain);
  if (rules === null) return `${quoteIfNeeded(content)}@${domain.ascii}`;
  if (domain.subdomain !== null && domain.registrable !== null) return `${domain.subdomain}@${domain.registrable}`;
  for (const change of rules.changes) content = change(content);
  return `${quoteIfNeeded(content)}@${rules.foldTo ?? domain.ascii}`;
}

function rulesOf(domain: Domain): Rules | null {
  if (domain.subdomain === null) return exact.get(domain.ascii) ?? null;
  if (domain.registrable === null || domain.subdomain.includes('.')) return null;
  const rules = exact.get(domain.registrable);
  return rules?.userInSubdomain === true ? rules : null;
}

/** Lower case, and beyond ASCII one composition of each character (RFC 6532 section 3.1). */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  return /[^\x00-\x7f]/.test(lower) ? lower.normalize('NFC') : lower;
}

/** Drops the separator and the text after it, unless nothing would be left. */
function cutFrom(separator: string, content: string): string {
  const index = content.indexOf(separator);
  return index > 0 ? content.slice(0, index) : content;
}

function compile(step: Step): Change {
  const { drop, cutFrom: separator, replace, with: replacement } = step;
  if (drop !== undefined) {
    const dropped = new RegExp(`[${drop.replace(/[\\\]^-]/g, '\\$&')}]`, 'g');
    // A name of separators only would lose everything: it stays as it is.
    return (content) => content.replace(dropped, '') || content;
  }
  if (separator !== undefined) return (content) => cutFrom(separator, content);
  if (replace !== undefined && replacement !== undefined) return (content) => content.replaceAll(replace, replacement);
  throw new Error('data/normalisation.json: a step without drop, cutFrom or replace');
}
