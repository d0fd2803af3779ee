import type { Owner } from '../http/endpoint.ts';
import { decisionText, type NotifiedDecision, omissionText } from './decision-batch.ts';
import type { DecisionBatchesStore, DecisionSubscription } from './decision-batches-store.ts';

/** Tells webhooks of decisions, in batches and without holding any of them up. */
export interface DecisionNotifier {
  /** A decision was made. */
  onDecision(decision: NotifiedDecision, owner: Owner): void;
  /** Writes what was collected; rejects when the storage is away, and then it is kept as far as there is room. */
  flush(): Promise<void>;
  /** Webhooks may have changed. */
  changed(): void;
  /** Decisions that wait to be written. */
  waiting(): number;
}

/** Decisions for one webhook between two writings; the rest is counted. About 1 MB for all environments of a busy account. */
const mostAtOnce = 1_000;

interface Collected {
  texts: string[];
  omitted: number;
}

/** Makes a notifier; until its first flush it knows of no webhook. */
export function createDecisionNotifier(store: DecisionBatchesStore): DecisionNotifier {
  let subscriptions: ReadonlyMap<string, readonly DecisionSubscription[]> = new Map();
  let isStale = true;
  const collected = new Map<string, Collected>();

  const collect = (webhookId: string, text: string): void => {
    const known = collected.get(webhookId);
    const { texts, omitted } = known ?? { texts: [], omitted: 0 };
    if (known === undefined) collected.set(webhookId, { texts: [text], omitted });
    else if (texts.length < mostAtOnce) texts.push(text);
    else known.omitted += 1;
  };
  const reload = async (): Promise<void> => {
    isStale = false;
    try {
      subscriptions = Map.groupBy(await store.subscriptions(), ({ owner }) => scopeOf(owner));
    } catch (error) {
      isStale = true;
      throw error;
    }
  };
  const giveBack = (batches: ReadonlyMap<string, Collected>): void => {
    for (const [webhookId, { texts, omitted }] of batches) {
      const later = collected.get(webhookId);
      const all = [...texts, ...(later?.texts ?? [])];
      const kept = all.slice(0, mostAtOnce);
      collected.set(webhookId, {
        texts: kept,
        omitted: omitted + (later?.omitted ?? 0) + all.length - kept.length,
      });
    }
  };
  return {
    onDecision(decision, owner) {
      // Nearly always nobody wants to be told.
      if (subscriptions.size === 0) return;
      const wanting = subscriptions.get(scopeOf(owner))?.filter((one) => isWanted(one, decision)) ?? [];
      if (wanting.length === 0) return;
      const text = decisionText(decision);
      for (const { webhookId } of wanting) collect(webhookId, text);
    },
    async flush() {
      if (isStale) await reload();
      if (collected.size === 0) return;
      const batches = new Map(collected);
      collected.clear();
      try {
        const left = await store.append([...batches].map(([webhookId, one]) => ({ webhookId, text: textOf(one) })));
        giveBack(new Map(left.flatMap(({ webhookId }) => entryOf(batches, webhookId))));
      } catch (error) {
        giveBack(batches);
        throw error;
      }
    },
    changed() {
      isStale = true;
    },
    waiting: () => [...collected.values()].reduce((sum, { texts }) => sum + texts.length, 0),
  };
}

function textOf({ texts, omitted }: Collected): string {
  return (omitted === 0 ? texts : [...texts, omissionText(omitted)]).join();
}

function entryOf<V>(map: ReadonlyMap<string, V>, key: string): [string, V][] {
  const value = map.get(key);
  return value === undefined ? [] : [[key, value]];
}

function isWanted({ gateIds, actions }: DecisionSubscription, { gateId, action }: NotifiedDecision): boolean {
  return (gateIds.length === 0 || gateIds.includes(gateId)) && (actions.length === 0 || actions.includes(action));
}

function scopeOf({ accountId, environment }: Owner): string {
  return `${accountId}/${environment}`;
}
