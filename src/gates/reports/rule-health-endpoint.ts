import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { dataOf } from '../../http/page.ts';
import { wireTime } from '../../http/wire-time.ts';
import { schema } from '../../input/schema.ts';
import type { DecisionRecorder } from '../decisions/decision-recorder.ts';
import type { Gates } from '../gates.ts';
import { managed } from '../gates-endpoints.ts';
import { type RuleHealthParts, readRuleHealth } from './rule-health.ts';

interface Parts extends RuleHealthParts {
  readonly gates: Pick<Gates, 'read'>;
  readonly recorder: Pick<DecisionRecorder, 'tryFlush'>;
}

/** `/gates/{gate_id}/rule-health`: what each rule did in 30 days, for the pages of the console. */
export function ruleHealthEndpoint(parts: Parts): Endpoint {
  return endpoint({
    ...managed,
    audience: 'console',
    method: 'GET',
    path: '/gates/{gate_id}/rule-health',
    operationId: 'readRuleHealth',
    summary: 'Matches by day, last match, age of the mode and outcomes of each rule of a gate',
    response: dataOf(schema.array(healthSchema)),
    errors: ['gate_not_found'],
    async handle({ params }, { caller }) {
      const gate = await parts.gates.read(caller, params.gate_id);
      await parts.recorder.tryFlush();
      const health = await readRuleHealth(gate, parts);
      return {
        data: health.map(({ ruleId, days, lastMatchMs, modeSinceMs, good, bad }) => ({
          id: ruleId,
          days,
          last_match_on: lastMatchMs === null ? null : wireTime(lastMatchMs).slice(0, 10),
          mode_since: wireTime(modeSinceMs),
          good,
          bad,
        })),
      };
    },
  });
}

const healthSchema = schema.object({
  id: schema.string(),
  days: schema.array(schema.integer(), {
    description: 'Matches of the last 30 UTC days, live or in shadow mode, oldest first',
  }),
  last_match_on: schema.nullable(schema.string({ description: 'The UTC day of the last match' })),
  mode_since: schema.string({ description: 'When the rule got its mode' }),
  good: schema.integer({ description: 'Matched decisions of these days with the outcome good' }),
  bad: schema.integer({ description: 'Matched decisions of these days with the outcome bad' }),
});
