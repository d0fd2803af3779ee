import { actorKinds } from '../actor.ts';
import { dataOf, field, listOf, nested, nestedOrNull, same, time, wireOf } from '../http/answers/wire-fields.ts';
import type { WireField } from '../http/answers/wire-object.ts';
import { type Caller, type Endpoint, endpoint, type Owner } from '../http/endpoint.ts';
import { defaulted } from '../input/object.ts';
import { query, word } from '../input/parameter.ts';
import { schema } from '../input/schema.ts';
import type { LookupBucket } from './lookup-counts-store.ts';
import {
  type Change,
  type DecisionBucket,
  type Outcomes,
  type Overview,
  type OverviewParts,
  type RangeName,
  ranges,
  readOverview,
  type Tally,
  type TopDomain,
  type TopRule,
} from './overview.ts';

const rangeNames = Object.keys(ranges) as RangeName[];

export interface OverviewEndpointParts extends OverviewParts {
  /** Writes the owner's pending counts, if storage is available. */
  readonly flush: (owner: Owner) => Promise<void>;
}

/** An overview, and the caller whose it is. */
interface ShownOverview extends Overview {
  readonly caller: Caller;
}

const count = schema.integer();

const decisionsBody = wireOf<DecisionBucket>({
  at: time(({ atMs }) => atMs),
  ...same<DecisionBucket>({ allow: count, block: count, challenge: count }),
});

const tallyBody = wireOf<Tally>(same<Tally>({ good: count, bad: count }));

const outcomesBody = wireOf<Outcomes>({
  allow: nested(tallyBody, ({ allow }) => allow),
  block: nested(tallyBody, ({ block }) => block),
  challenge: nested(tallyBody, ({ challenge }) => challenge),
});

const lookupsBody = wireOf<LookupBucket>({
  at: time(({ atMs }) => atMs),
  ...same<LookupBucket>({ lookups: count, disposable: count, relay: count }),
  no_mail: field(count, ({ noMail }) => noMail),
  ...same<LookupBucket>({ unknown: count }),
});

const share = (name: 'disposable' | 'relay' | 'noMail' | 'unknown'): WireField<readonly LookupBucket[]> =>
  field(
    schema.nullable(schema.number({ description: 'A fraction between 0 and 1; null without lookups' })),
    (buckets) => {
      const sum = (of: typeof name | 'lookups') => buckets.reduce((total, bucket) => total + bucket[of], 0);
      const all = sum('lookups');
      return all === 0 ? null : sum(name) / all;
    },
  );

const sharesBody = wireOf<readonly LookupBucket[]>({
  disposable: share('disposable'),
  relay: share('relay'),
  no_mail: share('noMail'),
  unknown: share('unknown'),
});

const topDomainBody = wireOf<TopDomain>(same<TopDomain>({ domain: schema.string(), lookups: count }));

const topRuleBody = wireOf<TopRule>({
  'gate.id': field(schema.string(), ({ gate }) => gate.id),
  'gate.name': field(schema.string(), ({ gate }) => gate.name),
  ...same<TopRule>({ id: schema.string(), name: schema.string(), matches: count }),
});

type Author = NonNullable<Change['by']>;

const authorBody = wireOf<Author>(
  same<Author>({ kind: schema.oneOf(actorKinds), id: schema.string(), name: schema.nullable(schema.string()) }),
);

type RuleChange = Change['rules'][number];

const changeBody = wireOf<Change>({
  at: time(({ atMs }) => atMs),
  ...same<Change>({
    action: schema.string({ description: 'As in the audit trail: gate.changed, blocklist.added, list.refreshed' }),
    subject: schema.string({ description: 'The id of the gate or list' }),
    name: schema.nullable(schema.string()),
  }),
  by: nestedOrNull(authorBody, ({ by }) => by, {
    description: 'Null for changes of the lists that serve every account',
  }),
  rules: nested(
    listOf(wireOf<RuleChange>(same<RuleChange>({ name: schema.string(), change: schema.string() }))),
    ({ rules }) => rules,
  ),
  ...same<Change>({ count: schema.nullable(schema.integer({ description: 'The number of entries or sources' })) }),
});

const overviewBody = wireOf<ShownOverview>({
  'range.name': field(schema.oneOf(rangeNames), ({ range }) => range),
  'range.from': time(({ fromMs }) => fromMs),
  'range.to': time(({ toMs }) => toMs),
  'usage.limit': field(count, ({ caller }) => caller.plan.credits),
  'usage.current': field(count, ({ usage }) => usage.used),
  'usage.remaining': field(count, ({ caller, usage }) => Math.max(0, caller.plan.credits - usage.used)),
  'usage.reset_at': time(({ usage }) => usage.resetAtMs),
  'usage.overage': field(schema.boolean(), ({ caller }) => caller.overage),
  'throughput.limit': field(count, ({ caller }) => caller.plan.rateLimit),
  'throughput.peak': field(schema.nullable(schema.integer()), ({ peak }) => peak),
  decisions: nested(listOf(decisionsBody), ({ decisions }) => decisions),
  outcomes: nested(outcomesBody, ({ outcomes }) => outcomes),
  lookups: nested(listOf(lookupsBody), ({ lookups }) => lookups),
  shares: nested(sharesBody, ({ lookups }) => lookups),
  top_domains: nested(listOf(topDomainBody), ({ topDomains }) => topDomains),
  top_rules: nested(listOf(topRuleBody), ({ topRules }) => topRules),
  changes: nested(listOf(changeBody), ({ changes }) => changes, {
    description: 'Newest first, at most 20 with the same action',
  }),
});

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
    response: dataOf(overviewBody),
    errors: ['validation_failed'],
    async handle({ query: { range } }, { caller }) {
      await parts.flush(caller);
      return { ...(await readOverview(caller, range, parts)), caller };
    },
  });
}
