import { compileGate } from '../src/gates/rules/evaluate.ts';
import type { DecisionSignals } from '../src/gates/rules/signals.ts';
import { type FieldValues, signalsFromFields } from '../test/gates/signals-from-fields.ts';
import { installPeers, peerName } from './peer.ts';
import type { Row } from './row.ts';
import { defaultAction, jsonLogicEngine, jsonRulesEngine, nested } from './rule-engines.ts';
import { sampleRules, sampleValues } from './rule-sample.ts';
import { seededRandom } from './seeded-random.ts';
import { type Candidate, timePerCall } from './time-per-call.ts';

export const name = 'gates';

/** One request in the form that each engine reads; building it is not timed. */
interface Facts {
  readonly signals: DecisionSignals;
  readonly tree: object;
  readonly values: FieldValues;
}

/** Rule evaluation alone, compared with other engines. */
export async function run(): Promise<Row[]> {
  installPeers();
  const random = seededRandom(4);
  // Few enough to stay in the CPU caches, like signals that have just been read.
  const different = Array.from({ length: 250 }, (): Facts => {
    const values = sampleValues(random);
    return { signals: signalsFromFields(values), tree: nested(values), values };
  });
  const facts = Array.from({ length: 40 }, () => different).flat();
  const decide = compileGate({ defaultAction, rules: sampleRules });
  const byLogic = jsonLogicEngine(sampleRules);
  const byRules = jsonRulesEngine(sampleRules);
  const candidates: Candidate<Facts>[] = [
    { name: `${peerName('json-logic-engine')}, compiled`, call: ({ tree }) => byLogic(tree) },
    {
      name: 'Signalpost',
      call: ({ signals }) => decide(signals).action,
      goal: '≤ 1.00, the cost of json-logic-engine',
    },
    { name: peerName('json-rules-engine'), call: ({ values }) => byRules(values), isAsync: true, most: 20 },
  ];
  await mustAgree(candidates, different);
  return timePerCall('20 rules × 3 conditions', candidates, () => facts);
}

/** A comparison needs engines that make the same decisions. */
async function mustAgree(candidates: readonly Candidate<Facts>[], facts: readonly Facts[]): Promise<void> {
  for (const each of facts) {
    const actions = await Promise.all(candidates.map(({ call }) => call(each)));
    if (new Set(actions).size !== 1) throw new Error(`${actions.join(', ')} for ${JSON.stringify(each.values)}`);
  }
}
