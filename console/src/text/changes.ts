import { counted } from './numbers.ts';

/** A change to gates, lists, the blocklist or the settings of waves, as the overview reports it. */
export interface Change {
  readonly at: string;
  /** As in the audit trail: `gate.changed`. */
  readonly action: string;
  /** The id of the gate or list. */
  readonly subject: string;
  readonly name: string | null;
  /** Null for changes of the lists that serve every account. */
  readonly by: {
    readonly kind: 'key' | 'user' | 'command' | 'service';
    readonly id: string;
    readonly name: string | null;
  } | null;
  readonly rules: readonly { readonly name: string; readonly change: string }[];
  readonly count: number | null;
}

const hourMs = 3_600_000;

/** Joins repeated changes, such as domains that a program blocks one by one: same action, subject and author within an hour. */
export function joinChanges<One extends Change>(changes: readonly One[]): One[] {
  const joined: One[] = [];
  for (const change of changes) {
    const index = joined.findIndex(
      (other) =>
        other.action === change.action &&
        other.subject === change.subject &&
        other.by?.id === change.by?.id &&
        Date.parse(other.at) - Date.parse(change.at) < hourMs,
    );
    const later = joined[index];
    if (later === undefined) joined.push(change);
    else {
      const count = later.count === null || change.count === null ? null : later.count + change.count;
      joined[index] = { ...later, count, rules: [...change.rules, ...later.rules] };
    }
  }
  return joined;
}

/** A change in a few words. */
export function changeText({ action, subject, name, by, rules, count }: Change): string {
  const called = name === null ? '' : ` “${name}”`;
  const entries = counted(count ?? 0, 'entry', 'entries');
  const domains = counted(count ?? 0, 'domain');
  // The operator's own entries belong to no account, and have no list id.
  if (by === null && action === 'list.added') return `${entries} added to the list ${subject}`;
  if (by === null && action === 'list.removed') return `${entries} removed from the list ${subject}`;
  const texts: Readonly<Record<string, string>> = {
    'gate.created': `Gate${called} created`,
    'gate.changed': `Gate${called}: ${rulesText(rules)}`,
    'gate.removed': `Gate${called} deleted`,
    'blocklist.added': `${domains} added to the blocklist`,
    'blocklist.removed': `${domains} removed from the blocklist`,
    'list.created': `List${called} created`,
    'list.removed': `List${called} deleted`,
    'list.entries_added': `List${called}: ${entries} added`,
    'list.entries_removed': `List${called}: ${entries} removed`,
    'list.refreshed': count === null ? 'Lists refreshed' : `Lists refreshed: ${counted(count, 'new edition')}`,
    'wave_settings.changed': 'Wave detection settings changed',
  };
  return texts[action] ?? action;
}

function rulesText(rules: Change['rules']): string {
  const [first] = rules;
  if (first === undefined) return 'settings or order changed';
  if (rules.length === 1) return `rule “${first.name}” ${first.change}`;
  const parts = ['added', 'changed', 'removed'].map((change) => ({
    change,
    count: rules.filter((rule) => rule.change === change).length,
  }));
  return parts
    .filter(({ count }) => count > 0)
    .map(({ change, count }) => `${counted(count, 'rule')} ${change}`)
    .join(', ');
}

/** The page of the changed object, below the environment; null where the reader has none. */
export function changePath({ action, subject, by }: Change, isOperator: boolean): string | null {
  if (action === 'gate.removed') return 'gates';
  if (action.startsWith('gate.')) return `gates/${subject}/history`;
  if (action.startsWith('blocklist.')) return 'blocklist';
  if (action.startsWith('wave_settings.')) return 'waves';
  if (by === null) return isOperator ? 'lists' : null;
  return action === 'list.removed' ? 'custom-lists' : `custom-lists/${subject}`;
}

/** The letter of a change on the chart: a gate or a list. */
export const changeLetter = ({ action }: Change): 'G' | 'L' => (/^(gate|wave_settings)\./.test(action) ? 'G' : 'L');
