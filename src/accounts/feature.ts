import type { ActorKind, NameActors } from '../actor.ts';
import type { Feature, Shared } from '../feature.ts';
import type { Admission } from '../http/admission.ts';
import { createLimits, type Limits } from '../limits/feature.ts';
import { eventCounter } from '../platform/metric-kinds.ts';
import { ulid } from '../ulid.ts';
import { type AccountCallers, createAccountCallers } from './account-callers.ts';
import { accountsTopic, createAccountsStore } from './accounts-store.ts';
import { type ActorNamesStore, createActorNamesStore } from './actor-names-store.ts';
import { createAdmission } from './admission.ts';
import { anonymousWindow, createAnonymous } from './anonymous.ts';
import type { Credits } from './credits/credits.ts';
import { createCreditsMetering } from './credits-feature.ts';
import { createFirstAccount, type FirstAccount } from './first-account.ts';
import { createHintLimits } from './hint-limits.ts';
import { createIpBlock } from './ip-block.ts';
import { createKeyCache } from './key-cache.ts';
import { createKeyUsage } from './key-usage.ts';
import { createKeysStore } from './keys-store.ts';
import type { Plan } from './plans.ts';
import { statusEndpoints } from './status-endpoints.ts';

/** Decides which callers are admitted and how much they may use. */
export interface AccountsFeature extends Feature {
  readonly admission: Admission;
  readonly nameActors: NameActors;
  /** The credits of the month. */
  readonly usage: Credits['usage'];
  /** Evicts an account's cached keys, so that a change takes effect in this process without waiting for the poll. */
  forgetAccount(accountId: string): void;
  /** An account as a caller without a key; null when it no longer exists. */
  readonly callerOf: AccountCallers['callerOf'];
  /** Creates the first account and its keys; null when the database is not empty. */
  createFirstAccount(): Promise<FirstAccount | null>;
}

/** Loads all requested names with one query per kind. */
function createNameActors(names: ActorNamesStore): NameActors {
  return async (actors) => {
    const idsOf = (wanted: ActorKind) => actors.filter(({ kind }) => kind === wanted).map(({ id }) => id);
    const [keys, users] = await Promise.all([names.ofKeys(idsOf('key')), names.ofUsers(idsOf('user'))]);
    return ({ kind, id }) => (kind === 'key' ? keys : kind === 'user' ? users : null)?.get(id) ?? null;
  };
}

/** Creates accounts: keys, plans, throughput, credits and blocking of IP addresses. */
export async function createAccountsFeature(
  shared: Shared,
  plans: ReadonlyMap<string, Plan>,
): Promise<AccountsFeature> {
  const { config, db, now, monotonicMs } = shared;
  const keysStore = createKeysStore(db);
  const keys = createKeyCache(keysStore, plans, monotonicMs, now);
  const callers = createAccountCallers(createAccountsStore(db), plans);
  const forgetAccount = (accountId: string): void => {
    keys.forgetAccount(accountId);
    callers.forgetAccount(accountId);
  };
  const forgetAll = (): void => {
    keys.forgetAll();
    callers.forgetAll();
  };
  const usage = createKeyUsage(keys, keysStore, { now, monotonicMs });
  const self = ulid(now());
  const metering = createCreditsMetering(shared, self);
  const { credits } = metering;
  const limits = await createLimits(shared, self);
  const { ipBlock, blocks } = createAddressBlock(shared, limits);
  return {
    admission: createAdmission({
      keys,
      throughput: limits.throughput,
      credits,
      ipBlock,
      takeAnonymous: createAnonymous(
        config.anonymousPerHour,
        limits.countWindow(anonymousWindow(config.anonymousPerHour)),
      ),
      takeHint: hintLimits(shared, limits),
    }),
    usage: credits.usage,
    nameActors: createNameActors(createActorNamesStore(db)),
    forgetAccount,
    callerOf: callers.callerOf,
    createFirstAccount: () => createFirstAccount(db, plans, now, config.firstKeys),
    endpoints: statusEndpoints(credits),
    follows: [{ topic: accountsTopic, changed: forgetAccount, changedAll: forgetAll }, ...metering.follows],
    metrics: [blocks, ...limits.metrics],
    caches: { keys: keys.size },
    buffers: [usage, credits.buffer],
    jobs: [...metering.jobs, ...limits.jobs(ipBlock)],
    async close() {
      await Promise.all([metering.close(), limits.close()]);
    },
  };
}

function createAddressBlock({ config, log, monotonicMs }: Shared, limits: Limits) {
  const blocks = eventCounter('address_blocks_total', 'IP addresses that this process blocked after repeated refusals');
  const ipBlock = createIpBlock({
    after: config.ipBlockAfter,
    loopback: config.ipBlockLoopback,
    exemptsPrivate: config.trustProxy === null,
    monotonicMs,
    onBlocked(address) {
      blocks.inc();
      log.warn({ address }, 'IP address blocked for five minutes after repeated refusals');
    },
    onExempted: (address) =>
      log.warn(
        { address },
        'a private IP address is refused repeatedly but is not blocked; if it is a proxy, set TRUST_PROXY',
      ),
    onRefusal: limits.recordRefusal,
  });
  return { ipBlock, blocks };
}

function hintLimits({ config, log }: Shared, limits: Limits) {
  return createHintLimits({
    perMinute: config.hintsPerMinute,
    perHour: config.hintsPerHour,
    exemptsPrivate: config.trustProxy === null,
    countWindow: limits.countWindow,
    throughput: limits.throughput,
    onExempted: (address) =>
      log.warn({ address }, 'hints for a private IP address are not limited; if it is a proxy, set TRUST_PROXY'),
  });
}
