import { type AccountsFeature, createAccountsFeature } from '../accounts/feature.ts';
import type { Plan } from '../accounts/plans.ts';
import { createAuditFeature } from '../audit/feature.ts';
import { createBlocklistFeature } from '../blocklist/feature.ts';
import type { HashCost } from '../console/access/passwords.ts';
import { type ConsoleFeature, createConsoleFeature } from '../console/feature.ts';
import { createCustomListsFeature } from '../custom-lists/feature.ts';
import { createStorageFeature, type StorageFeature } from '../db/feature.ts';
import type { Feature, Shared } from '../feature.ts';
import { createGatesFeature, type GatesFeature } from '../gates/feature.ts';
import { createGateIds } from '../gates/gate-ids-store.ts';
import { createHintsFeature } from '../hints/feature.ts';
import { createHooksFeature, type HooksFeature } from '../hooks/feature.ts';
import type { Owner } from '../http/endpoint.ts';
import { createKnowledge, type Knowledge } from '../knowledge/feature.ts';
import { reportOldEditions } from '../lists/old-editions.ts';
import { downloadable } from '../lists/refresh/refresh-catalogue.ts';
import type { Facts } from '../lookups/facts.ts';
import { createLookupsFeature, type LookupsFeature } from '../lookups/feature.ts';
import type { Lookup } from '../lookups/lookup.ts';
import { createLookupCounting, createOverviewFeature } from '../overview/feature.ts';
import { createSeenFeature } from '../seen/feature.ts';
import { createFlaggingFeature } from '../seen/flagging/feature.ts';
import { createTrafficFeature, type TrafficFeature } from '../traffic/feature.ts';
import { createWavesFeature, openActiveWaves, type WavesFeature } from '../waves/feature.ts';
import { createWaveNames } from '../waves/wave-names.ts';
import { announce } from '../webhooks/announce-store.ts';
import { createWebhooksFeature, type WebhooksFeature } from '../webhooks/feature.ts';
import { decisionSignalsFrom, traceSubjectsFrom } from './decision-signals.ts';
import { createDecisionTraffic } from './decision-traffic.ts';
import { createSignUpDecisions, createSignUpTraces } from './sign-up-decisions.ts';
import { loadShownAddress, loggedIn, readIn, rulePlaces, waveOutcomesIn } from './wave-gates.ts';

/** The features that the server and its callers use by name, and all of them in the order in which they start. */
export interface Features {
  readonly shared: Shared;
  readonly storage: StorageFeature;
  readonly accounts: AccountsFeature;
  readonly knowledge: Knowledge;
  readonly gates: GatesFeature;
  readonly mxCounts: LookupsFeature['mxCounts'];
  readonly traffic: TrafficFeature;
  readonly waves: WavesFeature;
  readonly webhooks: WebhooksFeature;
  readonly hooks: HooksFeature;
  readonly console: ConsoleFeature;
  readonly all: readonly Feature[];
}

export interface FeatureOptions {
  readonly plans: ReadonlyMap<string, Plan>;
  /** Where the built pages of the console are. */
  readonly consoleFolder: string;
  readonly hashCost?: HashCost | undefined;
  /** Replaces facts from the network. */
  readonly facts?: Facts | undefined;
}

/** Builds every feature; each needs only those above it. */
export async function createFeatures(given: Shared, options: FeatureOptions): Promise<Features> {
  const storage = createStorageFeature(given);
  const shared: Shared = { ...given, db: storage.db };
  const accounts = await createAccountsFeature(shared, options.plans);
  const audit = createAuditFeature(shared, accounts.nameActors);
  const knowledge = await openKnowledge(shared);
  const looking = createLooking(shared, knowledge, options.facts ?? knowledge.facts);
  const webhooks = await createWebhooksFeature(shared, knowledge.network, createGateIds(shared.db));
  const deciding = await createDeciding(shared, { accounts, knowledge, looking, webhooks });
  const { gates, traffic, waves } = deciding;
  const hooks = await createHooksFeature(shared, {
    decide: createSignUpDecisions({ callerOf: accounts.callerOf, admission: accounts.admission, gates }),
    trace: createSignUpTraces(gates),
    gateIds: gates.gateIds,
  });
  const overview = createOverviewFeature(shared, looking.counting, gates.activity, accounts.usage, audit.recentChanges);
  const console = await createConsoleFeature(shared, {
    plans: options.plans,
    knowledge,
    forgetAccount: accounts.forgetAccount,
    folder: options.consoleFolder,
    ...(options.hashCost && { hashCost: options.hashCost }),
  });
  return {
    shared,
    storage,
    accounts,
    knowledge,
    gates,
    mxCounts: looking.lookups.mxCounts,
    traffic,
    waves,
    webhooks,
    hooks,
    console,
    all: [
      ...[storage, audit, accounts, knowledge],
      ...[looking.flagging, looking.seen, looking.lookups, createHintsFeature(knowledge), looking.blocklist],
      ...[traffic, deciding.customLists, gates, hooks, waves],
      ...[overview, webhooks, console],
    ],
  };
}

async function openKnowledge(shared: Shared): Promise<Knowledge> {
  const knowledge = await createKnowledge(shared);
  knowledge.listDistribution?.begin(knowledge.lists);
  reportOldEditions(knowledge.editions.all(), downloadable, shared.log, shared.now());
  return knowledge;
}

type Looking = ReturnType<typeof createLooking>;

/** Lookups and their effects: counts, seen domains, notifications when a seen domain is flagged later. */
function createLooking(shared: Shared, knowledge: Knowledge, facts: Facts) {
  const blocklist = createBlocklistFeature(shared);
  const counting = createLookupCounting(shared);
  const flagging = createFlaggingFeature(shared, knowledge, announce);
  const seen = createSeenFeature(shared, flagging.onFlagged);
  const lookups = createLookupsFeature(shared, { ...knowledge, facts }, blocklist, (result, caller) => {
    // A repeated lookup was recorded as seen before, with the same flags.
    if (counting.onLookup(result, caller)) seen.onLookup(result, caller);
  });
  const remembering = seen.remembering(lookups.lookup);
  /** A decision looks up its subject, and counts for the peak as a lookup does. */
  const lookupForDecision: Lookup = (subject, caller, options) => {
    counting.counts.tick(caller);
    return remembering(subject, caller, options);
  };
  return { blocklist, counting, flagging, seen, lookups, lookupForDecision };
}

interface DecidingParts {
  readonly accounts: AccountsFeature;
  readonly knowledge: Knowledge;
  readonly looking: Looking;
  readonly webhooks: WebhooksFeature;
}

/** Gates, and the traffic that their decisions count and the waves in it. */
async function createDeciding(shared: Shared, { accounts, knowledge, looking, webhooks }: DecidingParts) {
  const names = createWaveNames(await loadShownAddress(shared));
  const active = await openActiveWaves(shared);
  const traffic = await createTrafficFeature(shared, { onVisit: names.note, waveOf: active.waveOf });
  const counted = createDecisionTraffic(traffic.traffic, looking.seen, knowledge.lists);
  const customLists = createCustomListsFeature(shared, accounts.nameActors);
  const readers = {
    readSignals: decisionSignalsFrom(looking.lookupForDecision, knowledge.ip.read, counted.count),
    readTraceSubject: traceSubjectsFrom(looking.lookups.lookup, knowledge.ip.read, counted.peek),
    idsOfWave: (owner: Owner, waveId: string) => waves.decisionIds(owner, waveId),
  };
  const onDecision: Parameters<typeof createGatesFeature>[4] = (decision, owner) => {
    if (decision.signals.traffic) traffic.traffic.decided(decision.signals.traffic, decision);
    webhooks.onDecision(decision, owner);
  };
  const gates: GatesFeature = await createGatesFeature(
    shared,
    readers,
    customLists.membership,
    accounts.nameActors,
    onDecision,
  );
  const waves: WavesFeature = createWavesFeature(shared, {
    traffic,
    names,
    active,
    announce,
    decisions: { findLogged: loggedIn(gates), outcomes: waveOutcomesIn(gates, gates.groupOutcomes) },
    readLog: readIn(gates),
    places: rulePlaces(gates.gates, customLists.lists),
  });
  return { customLists, gates, traffic, waves };
}
