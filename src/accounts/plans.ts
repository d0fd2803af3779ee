import { readFileSync } from 'node:fs';
import shippedPlans from '../../data/plans.json' with { type: 'json' };
import type { CallerPlan } from '../http/endpoint.ts';

/** An account's features and quotas. */
export type Plan = CallerPlan;

/** The plan of the account that the first start creates. */
export const firstPlanId = 'self-hosted';

/** The maximum number of blocklist entries when the plan does not set one. */
const defaultBlocklistEntries = 1_000_000;

/** Loads the shipped plans, or the operator's own. Throws an `Error` that names the file and lists every problem in it. */
export function loadPlans(file: string | null): ReadonlyMap<string, Plan> {
  if (file === null) return index(shippedPlans, 'data/plans.json');
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`cannot read PLANS_FILE ${file}: ${(error as Error).message}`);
  }
  return index(parsed, file);
}

function index(parsed: unknown, file: string): ReadonlyMap<string, Plan> {
  const problems: string[] = [];
  const plans = new Map<string, Plan>();
  if (!Array.isArray(parsed) || parsed.length === 0) problems.push('it must be a JSON array of plans, not empty');
  else {
    for (const [position, row] of parsed.entries()) {
      const plan = toPlan(row);
      if (plan === null)
        problems.push(
          `plan ${position + 1}: needs id, name, pro, credits (0 or more), rate_limit (1 or more); may have blocklist_entries (0 or more)`,
        );
      else if (plans.has(plan.id)) problems.push(`plan ${position + 1}: the id "${plan.id}" is there twice`);
      else plans.set(plan.id, plan);
    }
  }
  if (problems.length > 0) throw new Error(`PLANS_FILE ${file} is wrong: ${problems.join('; ')}`);
  return plans;
}

function toPlan(row: unknown): Plan | null {
  if (typeof row !== 'object' || row === null) return null;
  const { id, name, pro, credits, rate_limit: rateLimit, ...rest } = row as Record<string, unknown>;
  const { blocklist_entries: blocklistEntries = defaultBlocklistEntries } = rest;
  if (typeof id !== 'string' || id === '' || typeof name !== 'string' || typeof pro !== 'boolean') return null;
  if (!isIntegerFrom(0, credits) || !isIntegerFrom(1, rateLimit) || !isIntegerFrom(0, blocklistEntries)) return null;
  return { id, name, pro, credits, rateLimit, blocklistEntries };
}

function isIntegerFrom(least: number, value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least;
}
