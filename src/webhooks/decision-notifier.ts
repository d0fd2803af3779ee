import type { Owner } from '../http/endpoint.ts';
import { createWriteBehind, type WriteBehind } from '../platform/write-behind.ts';
import { decisionText, type NotifiedDecision, omissionText } from './decision-batch.ts';
import type { DecisionBatchesStore, DecisionSubscription } from './decision-batches-store.ts';

/** Notifies webhooks of decisions in batches, after the requests have been answered. */
export interface DecisionNotifier {
  readonly buffer: WriteBehind;
  onDecision(decision: NotifiedDecision, owner: Owner): void;
  /** Webhooks may have changed. */
  changed(): void;
  /** Loads the subscriptions now; if that fails, the next flush retries and reports the failure. */
  refresh(): Promise<void>;
}

/** Decisions kept for one webhook between two flushes; further ones are only counted. About 1 MB for a busy account. */
const maxPerWebhook = 1_000;

interface Collected {
  texts: string[];
  omitted: number;
}

/** Creates a notifier; it ignores decisions until `refresh` or the first flush has loaded the subscriptions. */
export function createDecisionNotifier(store: DecisionBatchesStore): DecisionNotifier {
  let subscriptions: ReadonlyMap<string, readonly DecisionSubscription[]> = new Map();
  let isStale = true;
  let started = 0;
  let loaded = 0;
  const collected = new Map<string, Collected>();

  const collect = (webhookId: string, text: string): void => {
    const known = collected.get(webhookId);
    const { texts, omitted } = known ?? { texts: [], omitted: 0 };
    if (known === undefined) collected.set(webhookId, { texts: [text], omitted });
    else if (texts.length < maxPerWebhook) texts.push(text);
    else known.omitted += 1;
  };
  const reload = async (): Promise<void> => {
    isStale = false;
    const order = ++started;
    try {
      const found = Map.groupBy(await store.subscriptions(), ({ owner }) => scopeOf(owner));
      // An earlier query that ends later is out of date.
      if (order < loaded) return;
      loaded = order;
      subscriptions = found;
    } catch (error) {
      isStale = true;
      throw error;
    }
  };
  const putBack = (batches: Iterable<readonly [string, Collected]>): void => {
    for (const [webhookId, { texts, omitted }] of batches) {
      const later = collected.get(webhookId);
      const all = [...texts, ...(later?.texts ?? [])];
      const kept = all.slice(0, maxPerWebhook);
      collected.set(webhookId, {
        texts: kept,
        omitted: omitted + (later?.omitted ?? 0) + all.length - kept.length,
      });
    }
  };
  const buffer = createWriteBehind<readonly (readonly [string, Collected])[]>({
    // The documented label of this buffer's metric.
    name: 'told_decisions',
    pending: {
      size: () => [...collected.values()].reduce((sum, { texts }) => sum + texts.length, 0),
      take() {
        if (collected.size === 0) return null;
        const batches = [...collected];
        collected.clear();
        return batches;
      },
      putBack,
    },
    batchSize: Number.POSITIVE_INFINITY,
    flushEveryMs: 400,
    failure: 'decisions for webhooks are not written to the outbox yet; they are kept in memory',
    async beforeFlush() {
      if (isStale) await reload();
    },
    async write(batches) {
      const refused = await store.append(batches.map(([webhookId, one]) => ({ webhookId, text: textOf(one) })));
      const ids = new Set(refused.map(({ webhookId }) => webhookId));
      putBack(batches.filter(([webhookId]) => ids.has(webhookId)));
    },
  });
  return {
    buffer,
    onDecision(decision, owner) {
      // Most installations have no webhook for decisions.
      if (subscriptions.size === 0) return;
      const subscribed = subscriptions.get(scopeOf(owner))?.filter((one) => isSubscribed(one, decision)) ?? [];
      if (subscribed.length === 0) return;
      const text = decisionText(decision);
      for (const { webhookId } of subscribed) collect(webhookId, text);
    },
    changed() {
      isStale = true;
    },
    // No error of the caller, whose change is committed: the subscriptions stay stale until the next flush.
    refresh: () => reload().catch(() => undefined),
  };
}

function textOf({ texts, omitted }: Collected): string {
  return (omitted === 0 ? texts : [...texts, omissionText(omitted)]).join();
}

function isSubscribed({ gateIds, actions }: DecisionSubscription, { gateId, action }: NotifiedDecision): boolean {
  return (gateIds.length === 0 || gateIds.includes(gateId)) && (actions.length === 0 || actions.includes(action));
}

function scopeOf({ accountId, environment }: Owner): string {
  return `${accountId}/${environment}`;
}
