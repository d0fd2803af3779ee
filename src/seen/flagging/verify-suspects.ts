import { type Domain, parseDomain } from '../../address/domain.ts';
import { reversedName } from '../../address/reversed-name.ts';
import type { YieldWhenDue } from '../../platform/yielding.ts';
import { type FlagKind, flagBits } from '../flag-kinds.ts';
import type { Sighting } from '../seen-search.ts';
import { type CompareOptions, compareAlone } from './compare-alone.ts';
import { createFlaggedNotifier, type FlaggedNotifier, type FlaggedNotifierOptions } from './flagged-notifier.ts';
import type { FlaggingStore, Suspect } from './flagging-store.ts';
import { propagationMs, type SearchSeen } from './lists-comparison.ts';

export interface VerifySuspectsOptions {
  readonly store: Pick<FlaggingStore, 'suspects' | 'removeSuspects'>;
  readonly search: SearchSeen;
  /** Whether a lookup would flag the domain now; null when that is unknown. */
  readonly isFlaggedNow: (domain: Domain, kind: FlagKind) => Promise<boolean | null>;
  readonly comparing: CompareOptions;
  readonly notifying: FlaggedNotifierOptions;
  readonly createYielder: () => YieldWhenDue;
  readonly now: () => number;
  readonly monotonicMs: () => number;
}

const batchSize = 100;
/** An unconfirmed suspect is retried: the DNS may be unavailable, or one of its servers may return an old answer. */
export const retryAfterMs = 65_000;
/** Suspects that stay unconfirmed are dropped after this time. */
export const dropAfterMs = 600_000;

/**
 * Checks domains that a lookup flagged for another reason than lists, and notifies the environments that saw them earlier. Returns
 * how many notifications it sent.
 */
export function createSuspectVerifier(options: VerifySuspectsOptions): () => Promise<number> {
  const { store, comparing, now, monotonicMs } = options;
  /** When each unconfirmed suspect was last checked. */
  const checkedAtMs = new Map<string, number>();
  const isDue = (suspect: Suspect): boolean => {
    const atMs = checkedAtMs.get(keyOf(suspect));
    return atMs === undefined || monotonicMs() - atMs >= retryAfterMs;
  };
  return async () => {
    const due = (await store.suspects(now() - propagationMs, batchSize)).filter(isDue);
    if (due.length === 0) return 0;
    let notified = 0;
    await compareAlone('suspects', comparing, async ({ renew }) => {
      const observers = await observersOf(due, renew, options);
      const notifier = createFlaggedNotifier(options.notifying);
      const done: Suspect[] = [];
      for (const suspect of due) {
        const isDone = await verify(suspect, observers.get(scopeOf(suspect)) ?? [], notifier, options);
        if (isDone || now() - suspect.notedAtMs > dropAfterMs) done.push(suspect);
        else checkedAtMs.set(keyOf(suspect), monotonicMs());
        await renew();
      }
      notified = await notifier.flush();
      await store.removeSuspects(done);
      for (const suspect of done) checkedAtMs.delete(keyOf(suspect));
      return '';
    });
    return notified;
  };
}

const keyOf = ({ kind, domain }: Suspect): string => `${kind} ${domain}`;

/** The highest name that a suspect may cover: a DNS blocklist may list a whole registrable domain, mail servers belong to one name. */
function scopeOf({ domain, kind }: Suspect): string {
  return kind === 'spam' ? (parseDomain(domain)?.registrable ?? domain) : domain;
}

/** The environments that saw names in the scopes of suspects, by scope. */
async function observersOf(
  suspects: readonly Suspect[],
  renew: () => Promise<void>,
  { search, createYielder }: VerifySuspectsOptions,
): Promise<ReadonlyMap<string, readonly Sighting[]>> {
  const scopes = new Map(suspects.map((suspect) => [reversedName(scopeOf(suspect)), scopeOf(suspect)]));
  const observers = new Map(Array.from(scopes.values(), (scope) => [scope, [] as Sighting[]]));
  for await (const sightings of search(new Set(scopes.keys()), createYielder())) {
    for (const { name, owner, flagged } of sightings) {
      const above = [...scopes].filter(([reversed]) => name === reversed || name.startsWith(`${reversed}.`));
      for (const [, scope] of above) observers.get(scope)?.push({ name: reversedName(name), owner, flagged });
    }
    await renew();
  }
  return observers;
}

/** Notifies a confirmed suspect's observers. Returns false when the suspect must be checked again. */
async function verify(
  { domain, kind }: Suspect,
  all: readonly Sighting[],
  notifier: FlaggedNotifier,
  { isFlaggedNow }: VerifySuspectsOptions,
): Promise<boolean> {
  const observers = all.filter(({ flagged }) => (flagged & flagBits[kind]) === 0);
  const suspect = parseDomain(domain);
  if (suspect === null || observers.length === 0) return true;
  const registrable = kind === 'spam' && suspect.registrable !== null ? parseDomain(suspect.registrable) : null;
  if (registrable !== null && (await isFlaggedNow(registrable, kind)) === true) {
    // A tenant of a private suffix below the registrable domain has another owner.
    for (const { name, owner } of observers)
      if (parseDomain(name)?.registrable === registrable.ascii)
        notifier.add({ owner, domain: registrable.ascii, kind });
    return true;
  }
  const isFlagged = await isFlaggedNow(suspect, kind);
  if (isFlagged === true)
    for (const { name, owner } of observers) if (name === domain) notifier.add({ owner, domain, kind });
  return isFlagged === true || (isFlagged === false && kind !== 'spam');
}
