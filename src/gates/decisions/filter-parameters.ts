import { parseNetwork } from '../../address/ip-network.ts';
import { optional } from '../../input/object.ts';
import { parsed, word, words } from '../../input/parameter.ts';
import { spanOf, spanParameters } from '../../input/span.ts';
import { gateIdIn } from '../gates.ts';
import { actions } from '../rules/action.ts';
import type { LogFilter } from './decisions-store.ts';
import { outcomeFilters } from './outcome.ts';

/** The longest name of a package. */
const longestSource = 214;

/** The filters that the log of a gate and the log over all gates have in common. */
export const filterParameters = {
  action: optional(words(actions)),
  outcome: optional(word(outcomeFilters)),
  rule_id: optional(parsed('the id of a rule', gateIdIn, { description: 'Only decisions made by this rule' })),
  matched_rule_id: optional(
    parsed('the id of a rule', gateIdIn, {
      description:
        'Only decisions that this rule matched, also in shadow mode and where another rule decided: with action=allow, the people whom a shadow rule would have stopped',
    }),
  ),
  source: optional(
    parsed('the name of a list source', (text) => (text !== '' && text.length <= longestSource ? text : null), {
      description: 'Only decisions about domains that this list source named then, as in named_by of GET /v1/decisions',
    }),
  ),
  country: optional(
    parsed('a country code of two letters', (text) => (/^[a-z]{2}$/i.test(text) ? text.toUpperCase() : null), {
      description: 'Only IP addresses of this country, by its code of two letters',
    }),
  ),
  network: optional(
    parsed('an AS number (AS64500) or a network (203.0.113.0/24, IPv6: /48)', networkIn, {
      description:
        'Only IP addresses of this autonomous system (AS64500) or network (a /24, of IPv6 a /48). Networks are not found where the log hashes addresses',
    }),
  ),
  ...spanParameters,
};

function networkIn(text: string): NonNullable<LogFilter['network']> | null {
  const asn = /^(?:AS)?(\d{1,10})$/i.exec(text)?.[1];
  if (asn !== undefined) return { asn: Number(asn) };
  const block = parseNetwork(text);
  return block === null ? null : { block };
}

type FilterValues = Omit<LogFilter, 'actions' | 'ruleId' | 'matchedRuleId' | 'fromMs' | 'toMs'> & {
  readonly action?: LogFilter['actions'] | undefined;
  readonly rule_id?: string | undefined;
  readonly matched_rule_id?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
};

export function filterOf({ action, rule_id, matched_rule_id, from, to, ...others }: FilterValues): LogFilter {
  return {
    ...others,
    ...spanOf({ from, to }),
    ...(action === undefined ? {} : { actions: action }),
    ...(rule_id === undefined ? {} : { ruleId: rule_id }),
    ...(matched_rule_id === undefined ? {} : { matchedRuleId: matched_rule_id }),
  };
}
