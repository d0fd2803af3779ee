import type { NameActors, NamedActors } from '../../actor.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { dataOf } from '../../http/page.ts';
import { wireTime } from '../../http/wire-time.ts';
import { schema } from '../../input/schema.ts';
import { recentFrom } from '../../platform/recent-span.ts';
import type { DecisionRecorder } from '../decisions/decision-recorder.ts';
import type { StatsStore } from '../decisions/stats-store.ts';
import type { GateSummary } from '../gate.ts';
import { gateSummaryBody } from '../gate-body.ts';
import { gateSummarySchema } from '../gate-schema.ts';
import { type Gates, maxGates } from '../gates.ts';
import { managed } from '../gates-endpoints.ts';
import { actorBody, actorSchema } from '../revisions-endpoints.ts';
import type { RevisionSummary, RevisionsStore } from '../revisions-store.ts';

export interface SummaryParts {
  readonly gates: Pick<Gates, 'list'>;
  readonly stats: Pick<StatsStore, 'actions'>;
  readonly revisions: Pick<RevisionsStore, 'newest'>;
  readonly recorder: Pick<DecisionRecorder, 'tryFlush'>;
  readonly nameActors: NameActors;
  readonly now: () => number;
}

const weekMs = 7 * 86_400_000;

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
    response: dataOf(schema.array(summarySchema)),
    errors: [],
    async handle(_sent, { caller }) {
      const all = await gates.list(caller, maxGates, null);
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
      return {
        data: all.map((gate) => ({
          ...gateSummaryBody(gate),
          revision: gate.revision,
          last_change: lastChangeBody(gate, changeOf.get(gate.id), names),
          counts: totalOf(countsOf.get(gate.id) ?? []),
        })),
      };
    },
  });
}

/** A gate without recorded revisions has a time of its last change, but no known author. */
function lastChangeBody(gate: GateSummary, change: RevisionSummary | undefined, names: NamedActors) {
  return {
    revision: gate.revision,
    changed_at: wireTime(change?.changedAtMs ?? gate.updatedAtMs),
    changed_by: actorBody(change?.changedBy ?? null, names),
  };
}

type Counted = Awaited<ReturnType<StatsStore['actions']>>;

function totalOf(counted: Counted) {
  const total = { allow: 0, block: 0, challenge: 0 };
  for (const { action, decisions } of counted) total[action] += decisions;
  return total;
}

const counts = { allow: schema.integer(), block: schema.integer(), challenge: schema.integer() };
const summarySchema = schema.extend(gateSummarySchema, {
  revision: schema.integer(),
  last_change: schema.object({
    revision: schema.integer(),
    changed_at: schema.string(),
    changed_by: actorSchema,
  }),
  counts: schema.object(counts),
});
