import type { LogFilters } from '../../api/log.ts';
import { type Action, actions } from '../../gate-editor/gate.ts';
import { beginOf, yesterday } from '../../text/ranges.ts';

/** The actions that the address of the page names. */
export function actionsIn(parameters: URLSearchParams): readonly Action[] {
  const named = parameters.get('action')?.split(',') ?? [];
  return actions.filter((action) => named.includes(action));
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
    source: given('source'),
    country: given('country'),
    network: given('network'),
    ...(parameters.get('range') === 'yesterday'
      ? yesterday(now)
      : { from: beginOf(parameters.get('range'), now) ?? given('from'), to: given('to') }),
  };
}
