import type { Actor, NameActors } from '../actor.ts';
import type { AuditLine } from './audit.ts';
import type { AuditStore } from './audit-store.ts';

/** A change to an environment's gates, lists, blocklist or settings of waves. */
export interface RecentChange {
  readonly atMs: number;
  readonly action: string;
  /** The id of the gate or list. */
  readonly subject: string;
  /** Of the gate or list; null where the trail does not have it. */
  readonly name: string | null;
  /** The author and their name; null for changes that serve every account. */
  readonly by: (Pick<Actor, 'kind' | 'id'> & { readonly name: string | null }) | null;
  /** The rules of a gate that were added, changed or removed. */
  readonly rules: readonly { readonly name: string; readonly change: 'added' | 'changed' | 'removed' }[];
  /** The number of entries or sources; null where nothing is counted. */
  readonly count: number | null;
}

/** Loads the changes of an environment since a time, newest first. */
export type RecentChanges = (
  owner: { readonly accountId: string; readonly environment: string },
  fromMs: number,
) => Promise<RecentChange[]>;

const ownActions = [
  ...['gate.created', 'gate.changed', 'gate.removed', 'blocklist.added', 'blocklist.removed'],
  ...['list.created', 'list.removed', 'list.entries_added', 'list.entries_removed', 'wave_settings.changed'],
];
/** The operator's own entries, and refreshes that brought new editions. */
const sharedActions = ['list.added', 'list.removed', 'list.refreshed'];
const limitPerAction = 20;

/** Reads the changes of an environment, and those of the lists that serve every account, from the audit trail. */
export function createRecentChanges(audit: Pick<AuditStore, 'recent'>, nameActors: NameActors): RecentChanges {
  return async (owner, fromMs) => {
    const [own, shared] = await Promise.all([
      audit.recent(owner, ownActions, fromMs, limitPerAction),
      audit.recent(null, sharedActions, fromMs, limitPerAction),
    ]);
    const names = await nameActors(own.map(({ by }) => by));
    const all = [
      ...own.map((line) => toChange(line, { kind: line.by.kind, id: line.by.id, name: names(line.by) })),
      // The operator may belong to another account.
      ...shared.map((line) => toChange(line, null)),
    ];
    return all.sort((one, other) => other.atMs - one.atMs);
  };
}

function toChange({ atMs, action, subject, detail }: AuditLine, by: RecentChange['by']): RecentChange {
  const rules = (['added', 'changed', 'removed'] as const).flatMap((change) =>
    named(detail[`rules_${change}`]).map((name) => ({ name, change })),
  );
  const counts = [detail.count, detail.added, detail.removed].filter((value) => typeof value === 'number');
  const sources = Array.isArray(detail.sources) ? detail.sources.length : null;
  return {
    atMs,
    action,
    subject,
    name: typeof detail.name === 'string' ? detail.name : null,
    by,
    rules,
    count: counts[0] ?? sources,
  };
}

/** The names in a list of rules; an entry whose details were erased has none. */
function named(rules: unknown): string[] {
  return Array.isArray(rules) ? rules.map((rule: { readonly name: string }) => rule.name) : [];
}
