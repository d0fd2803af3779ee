import { AppError } from '../../errors.ts';
import type { WireFields } from '../../http/answers/wire-fields.ts';
import { dataOf, field, nestedOrNull, same, time, wireFrom, wireOf } from '../../http/answers/wire-fields.ts';
import { type Endpoint, endpoint, type Owner } from '../../http/endpoint.ts';
import { pageBody } from '../../http/page.ts';
import { schema } from '../../input/schema.ts';
import { ulidIn } from '../../ulid.ts';
import type { AddressKeys } from '../decisions/address-key.ts';
import {
  deviceSchema,
  hookSchema,
  inputSchema,
  logEntryFields,
  matchedRuleSchema,
  namedBySchema,
  namingsBody,
  outcomeSchemas,
  type ShownEntry,
} from '../decisions/decision-body.ts';
import type { CountEntries, DecisionsStore, ListEntries, LoggedRow } from '../decisions/decisions-store.ts';
import { listNoting, logPageOf } from '../decisions/log-page.ts';
import { deviceOf, hookOf, namingsOf, revisionOf, shownDecision, shownEntry } from '../decisions/logged-decision.ts';
import type { GateSummary } from '../gate.ts';
import { rulesBody } from '../gate-body.ts';
import { allGates, type Gates } from '../gates.ts';
import { managed } from '../gates-endpoints.ts';
import { actions } from '../rules/action.ts';
import { type AllLogQuery, allLogQuery } from './all-log-query.ts';
import { type TraceParts, traceLogged } from './trace.ts';
import { traceBody } from './trace-body.ts';

/** Finds the decisions of an owner's wave. */
export type IdsOfWave = (owner: Owner, waveId: string) => Promise<ReadonlySet<string>>;

/** Dependencies of the log over all gates. */
export interface AllLogParts extends TraceParts {
  /** The ids of a wave's decisions; throws `wave_not_found`. */
  readonly idsOfWave: IdsOfWave;
  readonly gates: Pick<Gates, 'list' | 'read'>;
  readonly decisions: Pick<DecisionsStore, 'find'> & { readonly listOf: ListEntries; readonly countOf: CountEntries };
  readonly keys: AddressKeys;
}

/** A count beyond this one is "more than". */
const maxCounted = 10_000;

type Counted = Awaited<ReturnType<CountEntries>>;

const countBody = wireOf<Counted>(
  same<Counted>({
    count: schema.integer({ description: `At most ${maxCounted}` }),
    complete: schema.boolean({
      description: 'False when there are more, or may be: the count reads a bounded part of the log',
    }),
  }),
);

/** A row of the log with its gate. */
interface FoundRow {
  readonly id: string;
  readonly row: LoggedRow;
  readonly gateName: string;
}

/** A row with the decision in it. */
interface Line extends FoundRow {
  readonly shown: ReturnType<typeof shownDecision>;
}

const gateFields: WireFields<FoundRow> = {
  'gate.id': field(schema.string(), ({ row }) => row.gateId),
  'gate.name': field(schema.string(), ({ gateName }) => gateName),
};

const rowFields = {
  device: field(deviceSchema, ({ row }: FoundRow) => deviceOf(row)),
  hook_id: field(hookSchema, ({ row }: FoundRow) => hookOf(row)),
  revision: field(
    schema.nullable(schema.integer({ description: 'Null for entries from before revisions were recorded' })),
    ({ row }: FoundRow) => revisionOf(row),
  ),
  named_by: field(namedBySchema, ({ row }: FoundRow) => namingsBody(namingsOf(row))),
};

const lineBody = wireFrom(
  wireOf<Line>({
    id: field(schema.string(), ({ shown }) => shown.id),
    created_at: time(({ shown }) => shown.createdAtMs),
    ...gateFields,
    input: field(inputSchema, ({ shown }) => shown.input),
    device: rowFields.device,
    hook_id: rowFields.hook_id,
    domain: field(schema.string(), ({ row }) => row.domain),
    action: field(schema.oneOf(actions), ({ shown }) => shown.action),
    matched_rule: field(matchedRuleSchema, ({ shown }) => shown.matchedRule),
    revision: rowFields.revision,
    named_by: rowFields.named_by,
    outcome: field(outcomeSchemas.outcome, ({ row }) => row.outcome?.outcome ?? null),
    outcome_reason: field(outcomeSchemas.outcome_reason, ({ row }) => row.outcome?.reason ?? null),
  }),
  (found: FoundRow) => ({ ...found, shown: shownDecision(found.row) }),
);

/** A row with the rules of its time and their trace; null where they are no longer known. */
interface ExplainedRow extends FoundRow {
  readonly trace: Awaited<ReturnType<typeof traceLogged>>;
}

const explainedBody = wireFrom(
  wireOf<ExplainedRow & ShownEntry>({
    ...logEntryFields,
    device: rowFields.device,
    hook_id: rowFields.hook_id,
    ...gateFields,
    revision: rowFields.revision,
    named_by: rowFields.named_by,
    rules: nestedOrNull(rulesBody, ({ trace }) => trace && { rules: trace.rulesOfThen }),
    trace: nestedOrNull(traceBody, ({ trace }) => trace),
  }),
  (explained: ExplainedRow) => ({ ...explained, ...shownEntry(explained.row) }),
);

/** The log of an environment: `GET /v1/decisions`, and `/decisions/{decision_id}` for the pages of the console. */
export function allLogEndpoints(parts: AllLogParts): Endpoint[] {
  return [searchEndpoint(parts), countEndpoint(parts), explainEndpoint(parts)];
}

function searchEndpoint(parts: AllLogParts): Endpoint {
  return endpoint({
    ...managed,
    method: 'GET',
    path: '/v1/decisions',
    operationId: 'searchDecisions',
    load: 'job',
    tool: {
      name: 'search_decisions',
      access: 'read',
      guide:
        'Start here to find what happened to a person: q is the address. trace_gate explains a decision. full: true adds what each list said about the domain.',
      concise: conciseLines,
    },
    summary: 'The decisions of all gates, newest first, without their signals',
    query: allLogQuery(parts.keys),
    response: logPageOf(lineBody),
    errors: ['validation_failed', 'gate_not_found', 'wave_not_found'],
    async handle({ query: { limit, ...wanted } }, { caller }) {
      const { byId, gateIds, filter } = await prepareSearch(parts, caller, wanted);
      const { rows, isMissing } = await listNoting(parts.decisions.listOf, gateIds, filter, limit + 1);
      return { ...pageBody('log', rows.map(inGate(byId)), limit), isMissing };
    },
  });
}

function countEndpoint(parts: AllLogParts): Endpoint {
  return endpoint({
    ...managed,
    access: 'session',
    method: 'GET',
    path: '/decisions/count',
    operationId: 'countDecisions',
    load: 'job',
    summary: 'How many decisions match the filters of a search',
    query: allLogQuery(parts.keys),
    response: dataOf(countBody),
    errors: ['validation_failed', 'gate_not_found', 'wave_not_found'],
    async handle({ query: wanted }, { caller }) {
      const { gateIds, filter } = await prepareSearch(parts, caller, wanted);
      return parts.decisions.countOf(gateIds, filter, maxCounted);
    },
  });
}

function explainEndpoint(parts: AllLogParts): Endpoint {
  const { gates, decisions, recorder } = parts;
  return endpoint({
    ...managed,
    access: 'session',
    method: 'GET',
    path: '/decisions/{decision_id}',
    operationId: 'explainDecision',
    summary: 'One decision, the rules at that time, and their trace',
    response: dataOf(explainedBody),
    errors: ['decision_not_found'],
    async handle({ params: { decision_id } }, { caller }) {
      const id = ulidIn(decision_id);
      const byId = await gatesOf(gates, caller);
      await recorder.tryFlush();
      const [row] = id === null ? [] : await decisions.listOf([...byId.keys()], { fromId: id, beforeId: `${id}0` }, 1);
      if (row === undefined) throw new AppError('decision_not_found');
      const trace = await traceLogged(caller, await gates.read(caller, row.gateId), row, parts);
      return { ...inGate(byId)(row), trace };
    },
  });
}

/** The gates and the filter of a search. Decisions so far are in the log afterwards. */
async function prepareSearch(
  { gates, recorder, idsOfWave }: AllLogParts,
  owner: Owner,
  { gateId, waveId, filter }: Pick<AllLogQuery, 'gateId' | 'waveId' | 'filter'>,
) {
  const ids = waveId === null ? {} : { ids: await idsOfWave(owner, waveId) };
  const byId = await gatesOf(gates, owner);
  await recorder.tryFlush();
  return { byId, gateIds: wantedOf(byId, gateId), filter: { ...filter(owner), ...ids } };
}

async function gatesOf(gates: AllLogParts['gates'], owner: Owner): Promise<ReadonlyMap<string, GateSummary>> {
  return new Map((await gates.list(owner, allGates, null)).map((gate) => [gate.id, gate]));
}

/** The lines with the names of the list sources only. */
function conciseLines(response: unknown) {
  const { data, meta } = response as {
    data: readonly { named_by: readonly { source: string }[] | null }[];
    meta: unknown;
  };
  return { data: data.map((line) => ({ ...line, named_by: line.named_by?.map(({ source }) => source) })), meta };
}

const inGate =
  (byId: ReadonlyMap<string, GateSummary>) =>
  (row: LoggedRow): FoundRow => ({ id: row.id, row, gateName: byId.get(row.gateId)?.name ?? '' });

/** The gates to search: one, or all. */
function wantedOf(byId: ReadonlyMap<string, GateSummary>, gateId: string | null): readonly string[] {
  if (gateId === null) return [...byId.keys()];
  if (!byId.has(gateId)) throw new AppError('gate_not_found');
  return [gateId];
}
