import { createHash } from 'node:crypto';
import { reversedName } from '../../address/reversed-name.ts';
import { chunksOf } from '../../platform/chunks-of.ts';
import type { YieldWhenDue } from '../../platform/yielding.ts';
import { flagBits } from '../flag-kinds.ts';
import { type CompareOptions, compareAlone } from './compare-alone.ts';
import type { FlaggingStore } from './flagging-store.ts';
import type { SearchSeen } from './lists-comparison.ts';

/** The learnt mail servers of disposable services, and the domains that use them. */
export interface FlagMailServers {
  /** Replaced by another object at every change, and sometimes without one. */
  learnt(): ReadonlyMap<string, number>;
  /** The domains whose MX records name a server, in batches. */
  pointingAt(host: string): AsyncIterable<readonly string[]>;
}

export interface MailServersComparisonOptions {
  readonly servers: FlagMailServers;
  readonly search: SearchSeen;
  readonly store: Pick<FlaggingStore, 'addSuspects'>;
  readonly comparing: CompareOptions;
  readonly createYielder: () => YieldWhenDue;
  readonly now: () => number;
}

/** Domains in one search. */
const domainsAtOnce = 20_000;
const suspectsAtOnce = 200;

/**
 * Finds seen domains that use a newly learnt mail server, and records them as suspects: whether such a domain is disposable depends
 * on all of its servers. Call it repeatedly: it works only when there is a new server.
 */
export function createMailServersComparison(options: MailServersComparisonOptions): () => Promise<void> {
  const { servers, comparing, createYielder } = options;
  let last: ReadonlyMap<string, number> | null = null;
  let known: ReadonlySet<string> | null = null;
  return async () => {
    const learnt = servers.learnt();
    if (learnt === last) return;
    const isDone =
      known?.size === learnt.size && learnt.keys().every((host) => known?.has(host))
        ? true
        : await compareAlone('mail-servers', comparing, async (held) => {
            const digest = digestOf(learnt);
            if (held.compared === digest) return digest;
            const fresh = learnt.keys().filter((host) => !known?.has(host));
            await suspectDomains(fresh, createYielder(), held.renew, options);
            return digest;
          });
    if (!isDone) return;
    last = learnt;
    known = new Set(learnt.keys());
  };
}

function digestOf(learnt: ReadonlyMap<string, number>): string {
  return createHash('sha256')
    .update([...learnt.keys()].sort().join('\n'))
    .digest('hex');
}

async function suspectDomains(
  hosts: Iterable<string>,
  yieldWhenDue: YieldWhenDue,
  renew: () => Promise<void>,
  options: MailServersComparisonOptions,
): Promise<void> {
  let names = new Set<string>();
  for (const host of hosts) {
    for await (const domains of options.servers.pointingAt(host)) {
      for (const domain of domains) names.add(reversedName(domain));
      await renew();
      if (names.size < domainsAtOnce) continue;
      await suspectSeen(names, yieldWhenDue, renew, options);
      names = new Set();
    }
  }
  await suspectSeen(names, yieldWhenDue, renew, options);
}

async function suspectSeen(
  names: ReadonlySet<string>,
  yieldWhenDue: YieldWhenDue,
  renew: () => Promise<void>,
  { search, store, now }: MailServersComparisonOptions,
): Promise<void> {
  const suspects = new Set<string>();
  for await (const found of search(names, yieldWhenDue)) {
    for (const { name, flagged } of found) {
      if (names.has(name) && (flagged & flagBits.disposable) === 0) suspects.add(reversedName(name));
    }
    await renew();
  }
  const all = Array.from(suspects, (domain) => ({ domain, kind: 'disposable' as const, notedAtMs: now() }));
  for (const some of chunksOf(all, suspectsAtOnce)) await store.addSuspects(some);
}
