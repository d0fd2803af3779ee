import { type Domain, parseDomain } from '../address/domain.ts';
import { reversedName } from '../address/reversed-name.ts';
import type { Owner } from '../http/endpoint.ts';
import type { YieldWhenDue } from '../platform/yielding.ts';
import { type FlagKind, flagBits } from '../seen/flag-kinds.ts';
import { type Announcer, type AnnouncerOptions, createAnnouncer } from './announcer.ts';
import { type CompareOptions, compareAlone } from './compare-alone.ts';
import type { FlaggingStore, Suspect } from './flagging-store.ts';
import { type SearchSeen, settleMs } from './lists-comparison.ts';

/** What looking into suspects needs. */
export interface SuspectsOptions {
  readonly store: Pick<FlaggingStore, 'suspects' | 'removeSuspects'>;
  readonly search: SearchSeen;
  /** Whether a domain is flagged, as a lookup would say now; null: it cannot be found out. */
  readonly isFlaggedNow: (domain: Domain, kind: FlagKind) => Promise<boolean | null>;
  readonly comparing: CompareOptions;
  readonly announcing: AnnouncerOptions;
  readonly createYielder: () => YieldWhenDue;
  readonly now: () => number;
  readonly monotonicMs: () => number;
}

const suspectsAtOnce = 100;
/** What is not confirmed is tried again: the DNS may be away, or a server of it still say what it said before. */
const retryAfterMs = 65_000;
const giveUpAfterMs = 600_000;

/** Who saw a name that a suspect may speak for. */
interface Witness {
  readonly name: string;
  readonly owner: Owner;
  /** What it was flagged as when it was seen. */
  readonly flagged: number;
}

/** Asks anew about domains that something else than lists flags, and tells those who saw them before; how many domains were told of. */
export function createSuspectsRound(options: SuspectsOptions): () => Promise<number> {
  const { store, comparing, now, monotonicMs } = options;
  /** Those that wait to be tried again, and since when. */
  const triedAtMs = new Map<string, number>();
  const isDue = (suspect: Suspect): boolean => {
    const atMs = triedAtMs.get(keyOf(suspect));
    return atMs === undefined || monotonicMs() - atMs >= retryAfterMs;
  };
  return async () => {
    const all = await store.suspects(now() - settleMs, suspectsAtOnce);
    const due = all.filter(isDue);
    if (due.length === 0) return 0;
    let told = 0;
    await compareAlone('suspects', comparing, async ({ renew }) => {
      const witnesses = await witnessesOf(due, renew, options);
      const announcer = createAnnouncer(options.announcing);
      const settled: Suspect[] = [];
      for (const suspect of due) {
        const isSettled = await lookInto(suspect, witnesses.get(rangeOf(suspect)) ?? [], announcer, options);
        if (isSettled || now() - suspect.notedAtMs > giveUpAfterMs) settled.push(suspect);
        else triedAtMs.set(keyOf(suspect), monotonicMs());
        await renew();
      }
      told = await announcer.end();
      await store.removeSuspects(settled);
      for (const suspect of settled) triedAtMs.delete(keyOf(suspect));
      return '';
    });
    return told;
  };
}

const keyOf = ({ kind, domain }: Suspect): string => `${kind} ${domain}`;

/** The highest name a suspect may speak for: a DNS blocklist may list all of a registrable domain, mail goes by each name. */
function rangeOf({ domain, kind }: Suspect): string {
  return kind === 'spam' ? (parseDomain(domain)?.registrable ?? domain) : domain;
}

/** Who saw names under the ranges of suspects, by range. */
async function witnessesOf(
  suspects: readonly Suspect[],
  renew: () => Promise<void>,
  { search, createYielder }: SuspectsOptions,
): Promise<ReadonlyMap<string, readonly Witness[]>> {
  const ranges = new Map(suspects.map((suspect) => [reversedName(rangeOf(suspect)), rangeOf(suspect)]));
  const witnesses = new Map(Array.from(ranges.values(), (range) => [range, [] as Witness[]]));
  for await (const names of search(new Set(ranges.keys()), createYielder())) {
    for (const { name, by } of names) {
      const above = [...ranges].filter(([range]) => name === range || name.startsWith(`${range}.`));
      for (const [, range] of above)
        for (const { owner, flagged } of by) witnesses.get(range)?.push({ name: reversedName(name), owner, flagged });
    }
    await renew();
  }
  return witnesses;
}

/** Tells the witnesses of a suspect that is confirmed; whether it is settled, one way or the other. */
async function lookInto(
  { domain, kind }: Suspect,
  all: readonly Witness[],
  announcer: Announcer,
  { isFlaggedNow }: SuspectsOptions,
): Promise<boolean> {
  const witnesses = all.filter(({ flagged }) => (flagged & flagBits[kind]) === 0);
  const suspect = parseDomain(domain);
  if (suspect === null || witnesses.length === 0) return true;
  const registrable = kind === 'spam' && suspect.registrable !== null ? parseDomain(suspect.registrable) : null;
  if (registrable !== null && (await isFlaggedNow(registrable, kind)) === true) {
    // A tenant of a suffix below it is somebody else.
    for (const { name, owner } of witnesses)
      if (parseDomain(name)?.registrable === registrable.ascii)
        announcer.add({ owner, domain: registrable.ascii, kind });
    return true;
  }
  const isFlagged = await isFlaggedNow(suspect, kind);
  if (isFlagged === true)
    for (const { name, owner } of witnesses) if (name === domain) announcer.add({ owner, domain, kind });
  return isFlagged === true || (isFlagged === false && kind !== 'spam');
}
