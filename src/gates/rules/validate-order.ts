import { createProblems } from './problems.ts';
import type { Validated } from './validate-rule.ts';

/** Reads the body of a new order of rules; whether they are the gate's is for the gate to say. */
export function validateOrder(body: Readonly<Record<string, unknown>>): Validated<readonly string[]> {
  const problems = createProblems();
  for (const key of Object.keys(body)) {
    if (key !== 'rule_ids') problems.add(key, 'This field is not known.');
  }
  const ids: string[] = [];
  if (body.rule_ids === undefined) problems.add('rule_ids', 'The rule_ids field is required.');
  else if (!Array.isArray(body.rule_ids)) problems.add('rule_ids', 'The rule_ids must be a list.');
  else {
    for (const [index, id] of body.rule_ids.entries()) {
      if (typeof id === 'string') ids.push(id);
      else problems.add(`rule_ids.${index}`, 'The id of a rule must be a string.');
    }
  }
  return problems.count > 0 ? { ok: false, errors: problems.toFieldErrors() } : { ok: true, value: ids };
}
