import { Counter } from 'prom-client';
import { accountsTopic } from '../accounts/accounts-store.ts';
import { type ActorNamesStore, createActorNamesStore } from '../accounts/actor-names-store.ts';
import { createAdmission } from '../accounts/admission.ts';
import { createAnonymous } from '../accounts/anonymous.ts';
import { createCredits } from '../accounts/credits.ts';
import { createFirstAccount, type FirstAccount } from '../accounts/first-account.ts';
import { createIpBlock } from '../accounts/ip-block.ts';
import { createKeyCache } from '../accounts/key-cache.ts';
import { createKeyUsage } from '../accounts/key-usage.ts';
import { createKeysStore } from '../accounts/keys-store.ts';
import type { Plan } from '../accounts/plans.ts';
import { statusEndpoints } from '../accounts/status-endpoints.ts';
import { createThroughputLimiter } from '../accounts/throughput.ts';
import { createUsageStore } from '../accounts/usage-store.ts';
import type { ActorKind, NameActors } from '../actor.ts';
import type { Admission } from '../http/admission.ts';
import { repeat } from '../time/repeat.ts';
import { type AccountsForConsole, accountsForConsole } from './console/accounts-for-console.ts';
import type { Feature, Shared } from './feature.ts';

/** How often credits used are written; a kill -9 loses no more than this. */
const creditFlushMs = 500;
/** How often it is written which keys were used; it is told to the hour. */
const keyUsageFlushMs = 30_000;

/** Who may call, and how much. */
export interface AccountsFeature extends Feature {
  readonly admission: Admission;
  readonly nameActors: NameActors;
  /** What the console may know and change of accounts. */
  readonly console: AccountsForConsole;
  /** Creates the account and keys of an empty database; null when it is not empty. */
  createFirstAccount(): Promise<FirstAccount | null>;
}

/** Asks the storage once for all whose names are wanted. */
function createNameActors(names: ActorNamesStore): NameActors {
  return async (actors) => {
    const idsOf = (wanted: ActorKind) => actors.filter(({ kind }) => kind === wanted).map(({ id }) => id);
    const [keys, users] = await Promise.all([names.ofKeys(idsOf('key')), names.ofUsers(idsOf('user'))]);
    return ({ kind, id }) => (kind === 'key' ? keys : kind === 'user' ? users : null)?.get(id) ?? null;
  };
}

/** Builds accounts: keys, plans, throughput, credits, the block of IP addresses. */
export function createAccountsFeature(shared: Shared, plans: ReadonlyMap<string, Plan>): AccountsFeature {
  const { config, db, log, now, monotonicMs } = shared;
  const keysStore = createKeysStore(db);
  const keys = createKeyCache(keysStore, plans, monotonicMs, now);
  const usage = createKeyUsage(keys, keysStore, { now, monotonicMs });
  const credits = createCredits(createUsageStore(db), now);
  const blocks = new Counter({
    name: 'signalpost_address_blocks_total',
    help: 'IP addresses that were blocked for repeated refusals',
    registers: [],
  });
  const ipBlock = createIpBlock({
    after: config.ipBlockAfter,
    loopback: config.ipBlockLoopback,
    sparesPrivate: config.trustProxy === null,
    monotonicMs,
    onBlocked(address) {
      blocks.inc();
      log.warn({ address }, 'IP address blocked for five minutes: it was refused again and again');
    },
    onSpared: (address) =>
      log.warn(
        { address },
        'a private IP address is refused again and again and is not blocked; if it is a proxy, set TRUST_PROXY',
      ),
  });
  const anonymous = createAnonymous(config.anonymousPerHour, monotonicMs);
  const flushes = repeat(
    creditFlushMs,
    () => credits.flush(),
    (error) => log.warn({ err: error }, 'credits not written yet'),
  );
  const usageFlushes = repeat(
    keyUsageFlushMs,
    () => usage.flush(),
    (error) => log.warn({ err: error }, 'last use of keys not written yet'),
  );
  return {
    admission: createAdmission(keys, createThroughputLimiter(monotonicMs), credits, ipBlock, anonymous),
    nameActors: createNameActors(createActorNamesStore(db)),
    console: accountsForConsole(shared, plans, keys.forgetAccount),
    createFirstAccount: () => createFirstAccount(db, plans, now),
    endpoints: statusEndpoints(credits),
    follows: [{ topic: accountsTopic, changed: keys.forgetAccount, changedAll: keys.forgetAll }],
    metrics: [blocks],
    caches: { keys: keys.size },
    unwritten: { credits: credits.waiting },
    async close() {
      await Promise.all([flushes.stop(), usageFlushes.stop()]);
      await usage.flush().catch((error) => log.warn({ err: error }, 'last use of keys was not written'));
      // A storage that is away must not keep the process from ending.
      await credits.flush().catch((error) => log.error({ err: error }, 'credits of the last moment were not written'));
    },
  };
}
