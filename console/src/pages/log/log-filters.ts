import type { WholeRevision } from '../../api/gate.ts';
import type { LogFilters } from '../../api/log.ts';
import { type Action, actions } from '../../gate-editor/gate.ts';
import { spanNamed } from '../../text/ranges.ts';

/** A rule that entries can be filtered by. */
export type FilterRule = Pick<WholeRevision['rules'][number], 'id' | 'name' | 'mode' | 'action'>;

/** The actions that the address of the page names. */
export function actionsIn(parameters: URLSearchParams): readonly Action[] {
  const named = parameters.get('action')?.split(',') ?? [];
  return actions.filter((action) => named.includes(action));
}

/** The label of a matched rule; a shadow rule shows the action it would have decided. */
export function matchedText(rules: readonly FilterRule[], id: string): string {
  const { name, mode, action } = rules.find((rule) => rule.id === id) ?? { name: id };
  return mode === 'shadow' ? `Would ${action}: ${name}` : `Matched: ${name}`;
}

/** The filters that the address of the page holds. */
export function filtersOf(parameters: URLSearchParams, now: number): LogFilters {
  const given = (name: string) => parameters.get(name) || undefined;
  const chosen = actionsIn(parameters);
  return {
    q: given('q'),
    gate_id: given('gate_id'),
    action: chosen.length === 0 ? undefined : chosen,
    outcome: (['good', 'bad', 'none'] as const).find((outcome) => outcome === given('outcome')),
    rule_id: given('rule_id'),
    matched_rule_id: given('matched_rule_id'),
    wave_id: given('wave_id'),
    source: given('source'),
    country: given('country'),
    network: given('network'),
    ...(spanNamed(parameters.get('range'), now) ?? { from: given('from'), to: given('to') }),
  };
}
