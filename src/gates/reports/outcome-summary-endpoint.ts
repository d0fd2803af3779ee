import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { dataOf } from '../../http/page.ts';
import { query } from '../../input/parameter.ts';
import { schema } from '../../input/schema.ts';
import { checkSpan, spanParameters } from '../../input/span.ts';
import { firstIdAt } from '../decisions/decisions-store.ts';
import { totalOutcomes } from '../decisions/outcome-totals.ts';
import type { OutcomesStore } from '../decisions/outcomes-store.ts';
import { type Gates, maxGates } from '../gates.ts';
import { managed } from '../gates-endpoints.ts';

interface Parts {
  readonly gates: Pick<Gates, 'list'>;
  readonly outcomes: Pick<OutcomesStore, 'count'>;
  readonly now: () => number;
}

/** `/outcomes-summary`: the outcomes of all gates by action, for the pages of the console. */
export function outcomeSummaryEndpoint({ gates, outcomes, now }: Parts): Endpoint {
  return endpoint({
    ...managed,
    audience: 'console',
    method: 'GET',
    path: '/outcomes-summary',
    operationId: 'summarizeOutcomes',
    summary: 'How many decisions of all gates became good or bad, by action',
    query: query(spanParameters, { together: checkSpan }),
    response: dataOf(schema.object({ allow: tallySchema, block: tallySchema, challenge: tallySchema })),
    errors: ['validation_failed'],
    async handle({ query: { from = 0, to } }, { caller }) {
      const gateIds = (await gates.list(caller, maxGates, null)).map(({ id }) => id);
      const span = { from: firstIdAt(from), before: firstIdAt(to ?? now() + 1) };
      return { data: (await totalOutcomes(outcomes, gateIds, span)).actions };
    },
  });
}

const tallySchema = schema.object({ good: schema.integer(), bad: schema.integer() });
