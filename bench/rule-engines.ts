import type { Condition } from '../src/gates/rules/condition.ts';
import type { RuleDraft } from '../src/gates/rules/rule.ts';
import type { FieldValues } from '../test/gates/signals-from-fields.ts';
import { loadPeer } from './peer.ts';

/** The action when no rule matches. */
export const defaultAction = 'allow';

/** The rules as one if … else of json-logic-engine, compiled by it. It reads nested objects. */
export function jsonLogicEngine(rules: readonly RuleDraft[]): (facts: object) => string {
  const operators = { equals: '===', less_than: '<', greater_than: '>', in: 'in' } as const;
  const test = (condition: Condition) => ({
    [operatorOf(operators, condition)]: [{ var: condition.field }, condition.value],
  });
  const branches = rules.flatMap(({ conditions, action }) => [{ and: conditions.map(test) }, action]);
  const { LogicEngine } = loadPeer<{ LogicEngine: new () => { build(logic: object): (facts: object) => string } }>(
    'json-logic-engine',
  );
  return new LogicEngine().build({ if: [...branches, defaultAction] });
}

interface RulesEngine {
  addRule(rule: object): void;
  stop(): void;
  run(facts: object): Promise<{ events: { type: string }[] }>;
}

/** The rules in json-rules-engine, by priority and stopped at the first match. It reads facts by name. */
export function jsonRulesEngine(rules: readonly RuleDraft[]): (facts: FieldValues) => Promise<string> {
  const operators = { equals: 'equal', less_than: 'lessThan', greater_than: 'greaterThan', in: 'in' } as const;
  const { Engine } = loadPeer<{ Engine: new () => RulesEngine }>('json-rules-engine');
  const engine = new Engine();
  for (const [index, { conditions, action }] of rules.entries()) {
    const all = conditions.map((condition) => ({
      fact: condition.field,
      operator: operatorOf(operators, condition),
      value: condition.value,
    }));
    engine.addRule({
      conditions: { all },
      event: { type: action },
      priority: rules.length - index,
      onSuccess: () => engine.stop(),
    });
  }
  return async (facts) => (await engine.run(facts)).events[0]?.type ?? defaultAction;
}

/** Field paths as nested objects. */
export function nested(values: FieldValues): object {
  const root: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(values)) {
    const keys = path.split('.');
    const last = keys.pop() ?? path;
    let at = root;
    for (const key of keys) {
      at[key] ??= {};
      at = at[key] as Record<string, unknown>;
    }
    at[last] = value;
  }
  return root;
}

function operatorOf<T extends Readonly<Record<string, string>>>(operators: T, { operator }: Condition): string {
  const found = operators[operator];
  if (found === undefined) throw new Error(`${operator} is not in every engine`);
  return found;
}
