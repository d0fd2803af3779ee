import { actorKinds } from '../actor.ts';
import { type Caller, type Endpoint, endpoint, type Owner } from '../http/endpoint.ts';
import { wireTime } from '../http/wire-time.ts';
import { defaulted } from '../input/object.ts';
import { query, word } from '../input/parameter.ts';
import { schema } from '../input/schema.ts';
import { type Overview, type OverviewParts, type RangeName, ranges, readOverview } from './overview.ts';

const rangeNames = Object.keys(ranges) as RangeName[];

export interface OverviewEndpointParts extends OverviewParts {
  /** Writes the owner's pending counts, if storage is available. */
  readonly flush: (owner: Owner) => Promise<void>;
}

/** `/overview`: recent activity, for the console. */
export function overviewEndpoint(parts: OverviewEndpointParts): Endpoint {
  return endpoint({
    family: 'gates',
    plan: 'any',
    credits: 0,
    access: 'session',
    method: 'GET',
    path: '/overview',
    operationId: 'readOverview',
    summary: 'Credits, decisions, lookups, top domains and rules in a time range',
    query: query({ range: defaulted(word(rangeNames), '7d') }),
    response: schema.object({ data: overviewSchema }),
    errors: ['validation_failed'],
    async handle({ query: { range } }, { caller }) {
      await parts.flush(caller);
      return { data: overviewBody(await readOverview(caller, range, parts), caller) };
    },
  });
}

function overviewBody(overview: Overview, { plan, overage }: Caller) {
  const { range, fromMs, toMs, usage, peak, decisions, outcomes, lookups, topDomains, topRules, changes } = overview;
  return {
    range: { name: range, from: wireTime(fromMs), to: wireTime(toMs) },
    usage: {
      limit: plan.credits,
      current: usage.used,
      remaining: Math.max(0, plan.credits - usage.used),
      reset_at: wireTime(usage.resetAtMs),
      overage,
    },
    throughput: { limit: plan.rateLimit, peak },
    decisions: decisions.map(({ atMs, ...counts }) => ({ at: wireTime(atMs), ...counts })),
    outcomes,
    lookups: lookups.map(({ atMs, lookups: count, disposable, relay, noMail, unknown }) => ({
      at: wireTime(atMs),
      lookups: count,
      disposable,
      relay,
      no_mail: noMail,
      unknown,
    })),
    shares: sharesBody(lookups),
    top_domains: topDomains,
    top_rules: topRules,
    changes: changes.map(({ atMs, ...change }) => ({ at: wireTime(atMs), ...change })),
  };
}

function sharesBody(buckets: Overview['lookups']) {
  const sum = (name: 'lookups' | 'disposable' | 'relay' | 'noMail' | 'unknown') =>
    buckets.reduce((total, bucket) => total + bucket[name], 0);
  const all = sum('lookups');
  const share = (name: Parameters<typeof sum>[0]) => (all === 0 ? null : sum(name) / all);
  return {
    disposable: share('disposable'),
    relay: share('relay'),
    no_mail: share('noMail'),
    unknown: share('unknown'),
  };
}

const count = schema.integer();
const share = schema.nullable(schema.number({ description: 'A fraction between 0 and 1; null without lookups' }));

const tallySchema = schema.object({ good: count, bad: count });

const overviewSchema = schema.object({
  range: schema.object({
    name: schema.oneOf(rangeNames),
    from: schema.string(),
    to: schema.string(),
  }),
  usage: schema.object({
    limit: count,
    current: count,
    remaining: count,
    reset_at: schema.string(),
    overage: schema.boolean(),
  }),
  throughput: schema.object({ limit: count, peak: schema.nullable(schema.integer()) }),
  decisions: schema.array(schema.object({ at: schema.string(), allow: count, block: count, challenge: count })),
  outcomes: schema.object({ allow: tallySchema, block: tallySchema, challenge: tallySchema }),
  lookups: schema.array(
    schema.object({
      at: schema.string(),
      lookups: count,
      disposable: count,
      relay: count,
      no_mail: count,
      unknown: count,
    }),
  ),
  shares: schema.object({ disposable: share, relay: share, no_mail: share, unknown: share }),
  top_domains: schema.array(schema.object({ domain: schema.string(), lookups: count })),
  top_rules: schema.array(
    schema.object({
      gate: schema.object({ id: schema.string(), name: schema.string() }),
      id: schema.string(),
      name: schema.string(),
      matches: count,
    }),
  ),
  changes: schema.array(
    schema.object({
      at: schema.string(),
      action: schema.string({ description: 'As in the audit trail: gate.changed, blocklist.added, list.refreshed' }),
      subject: schema.string({ description: 'The id of the gate or list' }),
      name: schema.nullable(schema.string()),
      by: schema.nullable(
        schema.object({ kind: schema.oneOf(actorKinds), id: schema.string(), name: schema.nullable(schema.string()) }),
        { description: 'Null for changes of the lists that serve every account' },
      ),
      rules: schema.array(schema.object({ name: schema.string(), change: schema.string() })),
      count: schema.nullable(schema.integer({ description: 'The number of entries or sources' })),
    }),
    { description: 'Newest first, at most 20 with the same action' },
  ),
});
