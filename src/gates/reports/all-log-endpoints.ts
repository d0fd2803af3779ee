import { AppError } from '../../errors.ts';
import { type Endpoint, endpoint, type Owner } from '../../http/endpoint.ts';
import { dataOf, pageBody, pageOf } from '../../http/page.ts';
import { wireTime } from '../../http/wire-time.ts';
import { schema } from '../../input/schema.ts';
import { ulidIn } from '../../ulid.ts';
import type { AddressKeys } from '../decisions/address-key.ts';
import {
  deviceSchema,
  hookSchema,
  inputSchema,
  logEntry,
  matchedRuleSchema,
  namedBySchema,
  namingsBody,
  outcomeSchemas,
} from '../decisions/decision-body.ts';
import type { CountEntries, DecisionsStore, LoggedRow } from '../decisions/decisions-store.ts';
import { deviceOf, hookOf, logEntryBody, namingsOf, revisionOf, shownDecision } from '../decisions/logged-decision.ts';
import type { GateSummary } from '../gate.ts';
import { rulesBody } from '../gate-body.ts';
import { ruleSchema } from '../gate-schema.ts';
import { type Gates, maxGates } from '../gates.ts';
import { managed } from '../gates-endpoints.ts';
import { actions } from '../rules/action.ts';
import { allLogQuery } from './all-log-query.ts';
import { type TraceParts, traceLogged } from './trace.ts';
import { traceBody, traceSchema } from './trace-body.ts';

/** What the log over all gates is read from. */
export interface AllLogParts extends TraceParts {
  readonly gates: Pick<Gates, 'list' | 'read'>;
  readonly decisions: Pick<DecisionsStore, 'find' | 'listOf'> & { readonly countOf: CountEntries };
  readonly keys: AddressKeys;
}

/** The log of an environment: `GET /v1/decisions`, and `/decisions/{decision_id}` for the pages of the console. */
export function allLogEndpoints(parts: AllLogParts): Endpoint[] {
  const { gates, decisions, recorder, keys } = parts;
  const gatesOf = async (owner: Owner): Promise<Map<string, GateSummary>> =>
    new Map((await gates.list(owner, maxGates, null)).map((gate) => [gate.id, gate]));
  return [
    endpoint({
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
      query: allLogQuery(keys),
      response: pageOf(lineSchema),
      errors: ['validation_failed', 'gate_not_found'],
      async handle({ query: { limit, gateId, filter: filterFor } }, { caller }) {
        const filter = filterFor(caller);
        const byId = await gatesOf(caller);
        const wanted = wantedOf(byId, gateId);
        await recorder.tryFlush();
        const rows = await decisions.listOf(wanted, filter, limit + 1);
        return pageBody(
          'log',
          rows.map((row) => lineBody(row, gateNamed(byId, row))),
          limit,
        );
      },
    }),
    endpoint({
      ...managed,
      access: 'session',
      method: 'GET',
      path: '/decisions/count',
      operationId: 'countDecisions',
      load: 'job',
      summary: 'How many decisions match the filters of a search',
      query: allLogQuery(keys),
      response: dataOf(countSchema),
      errors: ['validation_failed', 'gate_not_found'],
      async handle({ query: { gateId, filter: filterFor } }, { caller }) {
        const filter = filterFor(caller);
        const byId = await gatesOf(caller);
        await recorder.tryFlush();
        return { data: await decisions.countOf(wantedOf(byId, gateId), filter, mostCounted) };
      },
    }),
    endpoint({
      ...managed,
      access: 'session',
      method: 'GET',
      path: '/decisions/{decision_id}',
      operationId: 'explainDecision',
      summary: 'One decision, the rules at that time, and their trace',
      response: dataOf(explainedSchema),
      errors: ['decision_not_found'],
      async handle({ params: { decision_id } }, { caller }) {
        const id = ulidIn(decision_id);
        const byId = await gatesOf(caller);
        await recorder.tryFlush();
        const [row] =
          id === null ? [] : await decisions.listOf([...byId.keys()], { fromId: id, beforeId: `${id}0` }, 1);
        if (row === undefined) throw new AppError('decision_not_found');
        const trace = await traceLogged(caller, await gates.read(caller, row.gateId), row, parts);
        return {
          data: {
            ...logEntryBody(row),
            device: deviceOf(row),
            hook_id: hookOf(row),
            named_by: namingsBody(namingsOf(row)),
            gate: gateNamed(byId, row),
            revision: revisionOf(row),
            rules: trace === null ? null : rulesBody({ rules: trace.rulesOfThen }),
            trace: trace === null ? null : traceBody(trace),
          },
        };
      },
    }),
  ];
}

/** The lines with the names of the list sources only. */
function conciseLines(response: unknown) {
  const { data, meta } = response as { data: readonly ReturnType<typeof lineBody>[]; meta: unknown };
  return { data: data.map((line) => ({ ...line, named_by: line.named_by?.map(({ source }) => source) })), meta };
}

/** The gates to search: one, or all. */
function wantedOf(byId: ReadonlyMap<string, GateSummary>, gateId: string | null): readonly string[] {
  if (gateId === null) return [...byId.keys()];
  if (!byId.has(gateId)) throw new AppError('gate_not_found');
  return [gateId];
}

/** A count beyond this one is "more than". */
const mostCounted = 10_000;

const countSchema = schema.object({
  count: schema.integer({ description: `At most ${mostCounted}` }),
  complete: schema.boolean({
    description: 'False when there are more, or may be: the count reads a bounded part of the log',
  }),
});

const gateNamed = (byId: ReadonlyMap<string, GateSummary>, { gateId }: LoggedRow) => ({
  id: gateId,
  name: byId.get(gateId)?.name ?? '',
});

function lineBody(row: LoggedRow, gate: { id: string; name: string }) {
  const { id, createdAtMs, input, action, matchedRule } = shownDecision(row);
  return {
    id,
    created_at: wireTime(createdAtMs),
    gate,
    input,
    device: deviceOf(row),
    hook_id: hookOf(row),
    domain: row.domain,
    action,
    matched_rule: matchedRule,
    revision: revisionOf(row),
    named_by: namingsBody(namingsOf(row)),
    outcome: row.outcome?.outcome ?? null,
    outcome_reason: row.outcome?.reason ?? null,
  };
}

const gateSchema = schema.object({ id: schema.string(), name: schema.string() });
const revisionSchema = schema.nullable(
  schema.integer({ description: 'Null for entries from before revisions were recorded' }),
);

const lineSchema = schema.object({
  id: schema.string(),
  created_at: schema.string(),
  gate: gateSchema,
  input: inputSchema,
  device: deviceSchema,
  hook_id: hookSchema,
  domain: schema.string(),
  action: schema.oneOf(actions),
  matched_rule: matchedRuleSchema,
  revision: revisionSchema,
  named_by: namedBySchema,
  ...outcomeSchemas,
});

const explainedSchema = schema.extend(logEntry.schema, {
  device: deviceSchema,
  hook_id: hookSchema,
  gate: gateSchema,
  revision: revisionSchema,
  named_by: namedBySchema,
  rules: schema.nullable(schema.array(ruleSchema)),
  trace: schema.nullable(traceSchema),
});
