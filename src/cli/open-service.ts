import { randomBytes } from 'node:crypto';
import { createAccounts } from '../accounts/accounts.ts';
import { createAccountsStore } from '../accounts/accounts-store.ts';
import { createKeys } from '../accounts/keys.ts';
import { createKeysStore } from '../accounts/keys-store.ts';
import { loadPlans } from '../accounts/plans.ts';
import type { Actor } from '../actor.ts';
import { loggedIn, readIn, rulePlaces, waveOutcomesIn } from '../app/wave-gates.ts';
import { createBlocklist } from '../blocklist/blocklist.ts';
import { createBlocklistStore } from '../blocklist/blocklist-store.ts';
import type { Config } from '../config.ts';
import { loadConsoleSecret } from '../console/access/console-secret-store.ts';
import { createSecretTokens } from '../console/access/secret-token.ts';
import { createUsers } from '../console/access/users.ts';
import { createCustomLists } from '../custom-lists/custom-lists.ts';
import { openDatabase } from '../db/db.ts';
import { loadAddressKeys } from '../gates/decisions/load-address-keys.ts';
import { createGateIds } from '../gates/gate-ids-store.ts';
import { createGates } from '../gates/gates.ts';
import { createGroupOutcomes } from '../gates/outcomes/group-outcomes.ts';
import { createOutcomes } from '../gates/outcomes/outcomes.ts';
import { openDecisionLog } from '../gates/segments/open-decision-log.ts';
import { createHookCallsStore } from '../hooks/hook-calls-store.ts';
import { createHooks } from '../hooks/hooks.ts';
import type { Author } from '../http/endpoint.ts';
import { openOperatorEntries } from '../lists/operator/open-entries.ts';
import { idEndText } from '../traffic/observation-block.ts';
import { createConfirmedStore } from '../waves/confirmed-store.ts';
import { createDrafts } from '../waves/wave-draft.ts';
import { decodeMembers } from '../waves/wave-members.ts';
import { createWaves } from '../waves/waves.ts';
import type { Invocation } from './command.ts';
import { commandLog } from './command-log.ts';
import { openStores } from './open-stores.ts';
import { operator } from './operator.ts';
import { ownerOf } from './owner-options.ts';

/** The features over the server's database, for commands, also while the server runs. Each is built where it is used. */
export type Service = Awaited<ReturnType<typeof openService>>;

/** A running server learns of changes through the database. */
const noListener = { changedHere() {}, removedHere() {} };
/** Commands buffer nothing. */
const unbuffered = { tryFlush: async () => {} };

/** Opens the service for a command, which closes it; `by` is who the audit trail names. */
export async function openService(config: Config, now: () => number = Date.now, by: Actor = operator()) {
  const plans = loadPlans(config.plansFile);
  const db = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir, secretKey: config.secretKey });
  const stores = openStores(db);
  const gateIds = createGateIds(db);
  const addressKeys = () => loadAddressKeys(db, config);
  return {
    config,
    db,
    by,
    stores,
    /** The form in which the log keeps addresses. */
    addressKeys,
    get accounts() {
      return createAccounts(createAccountsStore(db), plans, now, by);
    },
    get keys() {
      return createKeys(createKeysStore(db), now, () => {}, by);
    },
    async users() {
      const secret = await loadConsoleSecret(db, () => randomBytes(32).toString('hex'));
      return createUsers(stores.users, createSecretTokens(secret, 'link'), now);
    },
    get blocklist() {
      return createBlocklist(createBlocklistStore(db), noListener, now);
    },
    get customLists() {
      return createCustomLists({ lists: stores.customLists, entries: stores.listEntries, membership: noListener, now });
    },
    get decisions() {
      return openDecisionLog(db);
    },
    async outcomes() {
      const decisions = openDecisionLog(db);
      const parts = { gates: stores.gates, decisions, store: decisions.outcomes, recorder: unbuffered, now };
      return createOutcomes({ ...parts, keys: await addressKeys(), onStored() {} });
    },
    get hooks() {
      const calls = createHookCallsStore(db);
      return createHooks({ store: stores.hooks, calls, recorder: unbuffered, gateIds, onChange: async () => {}, now });
    },
    get waves() {
      const log = openDecisionLog(db);
      const grouped = createGroupOutcomes(log.outcomes, () => {});
      return createWaves({
        store: stores.waves,
        confirmed: createConfirmedStore(db, decodeMembers, idEndText),
        findLogged: loggedIn({ log, gateIds }),
        outcomes: waveOutcomesIn({ log, gateIds }, grouped),
        now,
      });
    },
    /** Rules against waves. */
    get waveDrafts() {
      const { waves, customLists } = this;
      return createDrafts({
        places: rulePlaces(createGates(stores.gates, noListener, now), customLists),
        minAddresses: async (owner) => (await waves.settings(owner)).minAddresses,
        readLog: readIn({ log: openDecisionLog(db), gateIds }),
        now,
        monotonicMs: () => performance.now(),
      });
    },
    /** The operator's own entries of the lists. */
    operatorEntries: () => openOperatorEntries(db, config.dataDir, commandLog(), now),
    [Symbol.asyncDispose]: () => db.close(),
  };
}

/** Opens the service for one piece of work and closes it afterwards. */
export async function withService<T>(config: Config, work: (service: Service) => T | Promise<T>): Promise<T> {
  await using service = await openService(config);
  return await work(service);
}

/** Opens the service for a command about an environment of an account, which must exist. */
export function withOwner<T>(
  invocation: Invocation,
  work: (service: Service, author: Author) => Promise<T>,
): Promise<T> {
  const owner = ownerOf(invocation);
  return withService(invocation.config, async (service) => {
    await service.accounts.read(owner.accountId);
    return work(service, { ...owner, by: service.by });
  });
}
