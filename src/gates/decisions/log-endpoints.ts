import { parseAddress } from '../../address/address.ts';
import { parseDomain } from '../../address/domain.ts';
import { parseIp } from '../../address/ip.ts';
import { AppError } from '../../errors.ts';
import { dataOf } from '../../http/answers/wire-fields.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { pageBody, pageParameters } from '../../http/page.ts';
import { type Input, into } from '../../input/input.ts';
import { optional } from '../../input/object.ts';
import { parsed, query } from '../../input/parameter.ts';
import { checkSpan } from '../../input/span.ts';
import { ulidIn } from '../../ulid.ts';
import type { Gates } from '../gates.ts';
import { managed } from '../gates-endpoints.ts';
import type { AddressKeys } from './address-key.ts';
import type { DecisionRecorder } from './decision-recorder.ts';
import type { DecisionsStore, ListEntries, LogFilter } from './decisions-store.ts';
import { filterOf, filterParameters } from './filter-parameters.ts';
import { listNoting, logPageOf } from './log-page.ts';
import { logRowBody } from './logged-decision.ts';

/** The query of a gate's log. */
interface LogQuery {
  readonly limit: number;
  readonly filter: LogFilter;
}

function logQuery(keys: AddressKeys): Input<LogQuery> {
  const parameters = {
    ...pageParameters('decisions'),
    email: optional(
      parsed('an email address', (text) => emailKeysOf(text, keys), {
        description: 'This address, in upper or lower case',
      }),
    ),
    domain: optional(
      parsed('a domain', (text) => parseDomain(text)?.ascii ?? null, {
        description: 'This domain, and addresses at it',
      }),
    ),
    ip: optional(parsed('an IP address', (text) => ipKeysOf(text, keys))),
    ...filterParameters,
  };
  return into(query(parameters, { together: checkSpan }), ({ limit, cursor, email, ip, ...others }) => ({
    limit,
    filter: {
      ...filterOf(others),
      ...(cursor === undefined ? {} : { beforeId: cursor }),
      ...(email === undefined ? {} : { emailKeys: email }),
      ...(ip === undefined ? {} : { ips: ip }),
    },
  }));
}

/** Outside of quotes an address holds no blank: it was a plus before the query was decoded. */
function emailKeysOf(text: string, keys: AddressKeys): readonly string[] | null {
  const address = parseAddress(text.startsWith('"') ? text : text.replaceAll(' ', '+'));
  return address === null ? null : keys.all(address.localPart, address.domain.ascii);
}

function ipKeysOf(text: string, keys: AddressKeys): readonly string[] | null {
  const ip = parseIp(text);
  return ip === null ? null : keys.allIps(ip.text);
}

/** The entries without their signals. */
function conciseLog(response: unknown) {
  const { data, meta } = response as { data: readonly ConciseEntry[]; meta: unknown };
  return { data: data.map(conciseEntry), meta };
}

function conciseEntry({ id, input, decision, outcome, meta: { created_at } }: ConciseEntry): ConciseEntry {
  return { id, input, decision, ...(outcome === null ? {} : { outcome }), meta: { created_at } };
}

interface ConciseEntry {
  readonly id: string;
  readonly input: unknown;
  readonly decision: unknown;
  readonly outcome?: unknown;
  readonly meta: { readonly created_at: string };
}

export interface LogParts {
  readonly gates: Pick<Gates, 'read'>;
  readonly store: Pick<DecisionsStore, 'find'> & { readonly listOf: ListEntries };
  readonly recorder: Pick<DecisionRecorder, 'tryFlush'>;
  readonly keys: AddressKeys;
}

/** `GET /v1/gates/{gate_id}/decisions` and `GET /v1/gates/{gate_id}/decisions/{decision_id}`. */
export function logEndpoints({ gates, store, recorder, keys }: LogParts): Endpoint[] {
  return [
    endpoint({
      ...managed,
      method: 'GET',
      path: '/v1/gates/{gate_id}/decisions',
      operationId: 'listDecisions',
      load: 'job',
      tool: {
        name: 'list_decisions',
        access: 'read',
        guide:
          'Filter by email, domain, ip, action, rule_id or outcome. full: true adds all signals, about 1.7 KB per entry.',
        concise: conciseLog,
      },
      summary: 'The decisions of a gate, newest first',
      query: logQuery(keys),
      response: logPageOf(logRowBody),
      errors: ['validation_failed', 'gate_not_found'],
      async handle({ params, query: { limit, filter } }, { caller }) {
        const { id } = await gates.read(caller, params.gate_id);
        await recorder.tryFlush();
        const { rows, isMissing } = await listNoting(store.listOf, [id], filter, limit + 1);
        return { ...pageBody('decisions', rows, limit), isMissing };
      },
    }),
    endpoint({
      ...managed,
      method: 'GET',
      path: '/v1/gates/{gate_id}/decisions/{decision_id}',
      operationId: 'readDecision',
      tool: {
        name: 'read_decision',
        access: 'read',
        guide: 'It contains the signals at the time of the decision. trace_gate explains the decision.',
      },
      summary: 'One decision of a gate',
      response: dataOf(logRowBody),
      errors: ['gate_not_found', 'decision_not_found'],
      async handle({ params }, { caller }) {
        const { id } = await gates.read(caller, params.gate_id);
        await recorder.tryFlush();
        const decisionId = ulidIn(params.decision_id);
        const row = decisionId === null ? null : await store.find(id, decisionId);
        if (row === null) throw new AppError('decision_not_found');
        return row;
      },
    }),
  ];
}
