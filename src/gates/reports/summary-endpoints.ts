import type { NameActors } from '../../actor.ts';
import { dataOf, field, listOf, nested, same, time, wireOf } from '../../http/answers/wire-fields.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { schema } from '../../input/schema.ts';
import { recentFrom } from '../../platform/time/recent-span.ts';
import type { DecisionRecorder } from '../decisions/decision-recorder.ts';
import type { StatsStore } from '../decisions/stats-store.ts';
import type { GateSummary } from '../gate.ts';
import { gateSummaryFields } from '../gate-body.ts';
import { allGates, type Gates } from '../gates.ts';
import { managed } from '../gates-endpoints.ts';
import { type Author, authorField, namedAuthor } from '../revisions-endpoints.ts';
import type { RevisionsStore } from '../revisions-store.ts';
import type { Action } from '../rules/action.ts';

export interface SummaryParts {
  readonly gates: Pick<Gates, 'list'>;
  readonly stats: Pick<StatsStore, 'actions'>;
  readonly revisions: Pick<RevisionsStore, 'newest'>;
  readonly recorder: Pick<DecisionRecorder, 'tryFlush'>;
  readonly nameActors: NameActors;
  readonly now: () => number;
}

const weekMs = 7 * 86_400_000;

type ActionCounts = Readonly<Record<Action, number>>;

/** A gate with its last change and the counts of a week. */
interface SummarizedGate extends GateSummary {
  readonly changedAtMs: number;
  readonly changedBy: Author | null;
  readonly counts: ActionCounts;
}

const countsBody = wireOf<ActionCounts>(
  same<ActionCounts>({ allow: schema.integer(), block: schema.integer(), challenge: schema.integer() }),
);

const summaryBody = wireOf<SummarizedGate>({
  ...gateSummaryFields,
  revision: field(schema.integer(), ({ revision }) => revision),
  'last_change.revision': field(schema.integer(), ({ revision }) => revision),
  'last_change.changed_at': time(({ changedAtMs }) => changedAtMs),
  'last_change.changed_by': authorField(({ changedBy }) => changedBy),
  counts: nested(countsBody, ({ counts }) => counts),
});

/** The gates of an environment with their last change and the counts of a week, for the pages of the console: `/gates-summary`. */
export function summaryEndpoint({ gates, stats, revisions, recorder, nameActors, now }: SummaryParts): Endpoint {
  return endpoint({
    ...managed,
    access: 'session',
    method: 'GET',
    path: '/gates-summary',
    operationId: 'summarizeGates',
    load: 'job',
    summary: 'Every gate with its last change and the counts of the last seven days',
    response: dataOf(listOf(summaryBody)),
    errors: [],
    async handle(_sent, { caller }) {
      const all = await gates.list(caller, allGates, null);
      await recorder.tryFlush();
      const nowMs = now();
      const ids = all.map(({ id }) => id);
      const [counts, newest] = await Promise.all([
        stats.actions(ids, recentFrom(nowMs, weekMs), nowMs + 1, 2 * weekMs),
        revisions.newest(all),
      ]);
      const names = await nameActors(newest.flatMap(({ changedBy }) => changedBy ?? []));
      const countsOf = Map.groupBy(counts, ({ gateId }) => gateId);
      const changeOf = new Map(newest.map((revision) => [revision.gateId, revision]));
      return all.map((gate) => {
        const change = changeOf.get(gate.id);
        return {
          ...gate,
          // A gate without recorded revisions has a time of its last change, but no known author.
          changedAtMs: change?.changedAtMs ?? gate.updatedAtMs,
          changedBy: namedAuthor(change?.changedBy ?? null, names),
          counts: totalOf(countsOf.get(gate.id) ?? []),
        };
      });
    },
  });
}

type Counted = Awaited<ReturnType<StatsStore['actions']>>;

function totalOf(counted: Counted) {
  const total = { allow: 0, block: 0, challenge: 0 };
  for (const { action, decisions } of counted) total[action] += decisions;
  return total;
}
