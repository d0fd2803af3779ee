import { type Catalogue, type Condition, type GateRules, operatorNamed, type Rule } from '../gate.ts';

/** How often rules matched recently, by id. */
export type RuleCounts = ReadonlyMap<string, { readonly live: number; readonly shadow: number }>;

/** A warning about a rule before it is saved. */
export interface Warning {
  readonly text: string;
  /** Resolves it by a change of the rule, or by moving it to a position. */
  readonly fix?:
    | { readonly label: string; readonly change: Partial<Rule> }
    | { readonly label: string; readonly position: number };
}

/** Fields that are unknown for many ordinary addresses. */
const oftenUnknown = /^ip\.|^domain\.(age_days|did_you_mean|subdomain|disposable_provider)$|^email\.subaddress$/;

/** The warnings about a gate's rule at a position. */
export function warningsAt(gate: GateRules, place: number, catalogue: Catalogue): Warning[] {
  const rule = gate.rules[place];
  if (rule === undefined || !rule.enabled) return [];
  const found: Warning[] = exceptionWarnings(gate, place);
  const above = gate.rules.slice(0, place).find((other) => isFinal(other) && coversAll(other, rule));
  if (above !== undefined) {
    found.push({ text: `Never reached: “${above.name}” above is final and matches whenever this rule would.` });
  }
  for (const { field, operator } of rule.conditions) {
    if (operatorNamed(catalogue, operator)?.negated && oftenUnknown.test(field)) {
      found.push({
        text: `${field} is often unknown. A condition on an unknown field does not hold, even a negated one.`,
      });
    }
  }
  return found;
}

/** Warns of rules that can block or challenge although an exception allows. */
function exceptionWarnings({ rules }: GateRules, place: number): Warning[] {
  const rule = rules[place];
  if (rule?.action !== 'allow' || rule.mode !== 'live') return [];
  const stops = (other: Rule) => other.enabled && other.mode === 'live' && other.action !== 'allow';
  const above = rules.slice(0, place).filter((other) => stops(other) && other.stop);
  const found: Warning[] = [];
  const [first] = above;
  if (first !== undefined) {
    const count = above.length === 1 ? '1 rule above stops' : `${above.length} rules above stop`;
    const position = rules.indexOf(first);
    found.push({ text: `${count} these people first.`, fix: { label: 'Move it up', position } });
  }
  if (!rule.stop && rules.slice(place + 1).some(stops)) {
    const text = 'A rule below can still block or challenge these people.';
    found.push({ text, fix: { label: 'Make it final', change: { stop: true } } });
  }
  return found;
}

const isFinal = ({ enabled, mode, stop }: Rule): boolean => enabled && mode === 'live' && stop;

/** Whether the first rule matches whenever the second does, judged by equal conditions only. */
function coversAll(first: Rule, second: Rule): boolean {
  const isIn = (conditions: readonly Condition[]) => {
    const texts = new Set(conditions.map((condition) => JSON.stringify(condition)));
    return (condition: Condition) => texts.has(JSON.stringify(condition));
  };
  const isAny = (rule: Rule) => rule.match === 'any' && rule.conditions.length > 1;
  if (isAny(second)) return isAny(first) && second.conditions.every(isIn(first.conditions));
  return isAny(first)
    ? first.conditions.some(isIn(second.conditions))
    : first.conditions.every(isIn(second.conditions));
}
