import type { Owner } from '../http/endpoint.ts';
import { scopeOf } from '../owner-scope.ts';
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

type CollectedBatch = readonly [webhookId: string, Collected];

/** Creates a notifier; it ignores decisions until `refresh` or the first flush has loaded the subscriptions. */
export function createDecisionNotifier(store: DecisionBatchesStore): DecisionNotifier {
  const subscriptions = followSubscriptions(store);
  const collected = createCollected();
  const buffer = createWriteBehind<readonly CollectedBatch[]>({
    // The documented label of this buffer's metric.
    name: 'told_decisions',
    pending: collected,
    batchSize: Number.POSITIVE_INFINITY,
    flushEveryMs: 400,
    failure: 'decisions for webhooks are not written to the outbox yet; they are kept in memory',
    beforeFlush: subscriptions.update,
    async write(batches) {
      const refused = await store.append(batches.map(([webhookId, one]) => ({ webhookId, text: textOf(one) })));
      const ids = new Set(refused.map(({ webhookId }) => webhookId));
      collected.putBack(batches.filter(([webhookId]) => ids.has(webhookId)));
    },
  });
  return {
    buffer,
    onDecision(decision, owner) {
      const subscribed = subscriptions.of(owner)?.filter((one) => isSubscribed(one, decision)) ?? [];
      if (subscribed.length === 0) return;
      const text = decisionText(decision);
      for (const { webhookId } of subscribed) collected.add(webhookId, text);
    },
    changed: subscriptions.changed,
    // No error of the caller, whose change is committed: the subscriptions stay stale until the next flush.
    refresh: () => subscriptions.reload().catch(() => undefined),
  };
}

/** The subscriptions by owner, loaded again after changes. */
function followSubscriptions(store: Pick<DecisionBatchesStore, 'subscriptions'>) {
  let byOwner: ReadonlyMap<string, readonly DecisionSubscription[]> = new Map();
  let isStale = true;
  let started = 0;
  let loaded = 0;
  const reload = async (): Promise<void> => {
    isStale = false;
    const order = ++started;
    try {
      const found = Map.groupBy(await store.subscriptions(), ({ owner }) => scopeOf(owner));
      // An earlier query that ends later is out of date.
      if (order < loaded) return;
      loaded = order;
      byOwner = found;
    } catch (error) {
      isStale = true;
      throw error;
    }
  };
  return {
    reload,
    // Most installations have no webhook for decisions.
    of: (owner: Owner) => (byOwner.size === 0 ? undefined : byOwner.get(scopeOf(owner))),
    changed(): void {
      isStale = true;
    },
    async update(): Promise<void> {
      if (isStale) await reload();
    },
  };
}

/** Decisions by webhook, until they are written. */
function createCollected() {
  const collected = new Map<string, Collected>();
  return {
    add(webhookId: string, text: string): void {
      const known = collected.get(webhookId);
      if (known === undefined) collected.set(webhookId, { texts: [text], omitted: 0 });
      else if (known.texts.length < maxPerWebhook) known.texts.push(text);
      else known.omitted += 1;
    },
    size: () => [...collected.values()].reduce((sum, { texts }) => sum + texts.length, 0),
    take(): CollectedBatch[] | null {
      if (collected.size === 0) return null;
      const batches = [...collected];
      collected.clear();
      return batches;
    },
    putBack(batches: Iterable<CollectedBatch>): void {
      for (const [webhookId, { texts, omitted }] of batches) {
        const later = collected.get(webhookId);
        const all = [...texts, ...(later?.texts ?? [])];
        const kept = all.slice(0, maxPerWebhook);
        const left = all.length - kept.length;
        collected.set(webhookId, { texts: kept, omitted: omitted + (later?.omitted ?? 0) + left });
      }
    },
  };
}

function textOf({ texts, omitted }: Collected): string {
  return (omitted === 0 ? texts : [...texts, omissionText(omitted)]).join();
}

function isSubscribed({ gateIds, actions }: DecisionSubscription, { gateId, action }: NotifiedDecision): boolean {
  return (gateIds.length === 0 || gateIds.includes(gateId)) && (actions.length === 0 || actions.includes(action));
}
