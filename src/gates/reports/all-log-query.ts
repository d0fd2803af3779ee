import { parseAddress } from '../../address/address.ts';
import { normalizeAddress } from '../../address/normalize.ts';
import type { Owner } from '../../http/endpoint.ts';
import { pageParameters } from '../../http/page.ts';
import { type Input, into } from '../../input/input.ts';
import { optional } from '../../input/object.ts';
import { parsed, query } from '../../input/parameter.ts';
import { checkSpan } from '../../input/span.ts';
import { firstIdAt, timeOfId, ulidIn } from '../../ulid.ts';
import type { AddressKeys } from '../decisions/address-key.ts';
import { isDevice } from '../decisions/decision-request.ts';
import type { LogFilter } from '../decisions/decisions-store.ts';
import { filterOf, filterParameters } from '../decisions/filter-parameters.ts';
import { filterFor } from '../decisions/subject-log.ts';
import { gateIdIn } from '../gates.ts';

/** Which part of the log of an environment is wanted. */
export interface AllLogQuery {
  readonly limit: number;
  /** One gate; null for all. */
  readonly gateId: string | null;
  /** Only decisions of this wave; null for all. */
  readonly waveId: string | null;
  /** For the caller: each environment has its own keys of devices. */
  filter(owner: Owner): LogFilter;
}

export function allLogQuery(keys: AddressKeys): Input<AllLogQuery> {
  const parameters = {
    ...pageParameters('log'),
    q: optional(
      parsed(
        'a whole email address, domain, IP address, decision id or request id',
        (text) => sought(text.trim(), keys),
        {
          description:
            'An email address, a domain, an IP address, the id of a decision, or the id of a request that was made within a minute of its decision',
        },
      ),
    ),
    mailbox: optional(
      parsed('an email address', (text) => mailboxIn(text, keys), {
        description: 'Only decisions about this address, in every spelling of its mailbox',
      }),
    ),
    gate_id: optional(parsed('the id of a gate', gateIdIn)),
    after: optional(parsed('the id of a decision', ulidIn, { description: 'Only decisions after this one' })),
    device: optional(
      parsed('an identifier of 1 to 200 characters', deviceIn, {
        description: 'Only decisions that were sent with this identifier of a device',
      }),
    ),
    wave_id: optional(
      parsed('the id of a wave', gateIdIn, { description: 'Only decisions that belong to this wave, 10,000 at most' }),
    ),
    ...filterParameters,
  };
  return into(
    query(parameters, { together: checkSpan }),
    ({ limit, cursor, q = {}, mailbox, gate_id, after, device, wave_id, ...others }) => ({
      limit,
      gateId: gate_id ?? null,
      waveId: wave_id ?? null,
      filter: (owner) =>
        both(q, {
          ...filterOf(others),
          ...(mailbox === undefined ? {} : { normalKeys: mailbox }),
          ...(device === undefined ? {} : { deviceKeys: keys.allDevices(owner, device) }),
          ...(cursor === undefined ? {} : { beforeId: cursor }),
          // The first id after it.
          ...(after === undefined ? {} : { fromId: `${after}0` }),
        }),
    }),
  );
}

const deviceIn = (text: string): string | null => (isDevice(text) ? text : null);

/** Every form in which the log may have the mailbox of an address; null for a text that is no address. */
function mailboxIn(text: string, keys: AddressKeys): ReadonlySet<string> | null {
  const address = parseAddress(text);
  return address === null ? null : new Set(keys.allTexts(normalizeAddress(address)));
}

/** The text of the search field; null when it cannot match anything. */
function sought(text: string, keys: AddressKeys): LogFilter | null {
  const id = ulidIn(text);
  if (id !== null) return { eitherId: id, ...spanAround(timeOfId(id)) };
  if (text.includes('@')) return filterFor('email', text.startsWith('"') ? text : text.replaceAll(' ', '+'), keys);
  return filterFor('ip', text, keys) ?? filterFor('domain', text, keys);
}

/** A request's id has the time of its arrival, or of the clock of the client that sent the id. */
const maxApartMs = 60_000;

const spanAround = (atMs: number): Pick<LogFilter, 'fromId' | 'beforeId'> => ({
  fromId: firstIdAt(Math.max(0, atMs - maxApartMs)),
  beforeId: firstIdAt(atMs + maxApartMs),
});

/** Of two spans of ids that which is in both. */
function both(one: LogFilter, other: LogFilter): LogFilter {
  const fromId = [one.fromId ?? '', other.fromId ?? ''].sort().at(-1) ?? '';
  const [beforeId] = [one.beforeId, other.beforeId].filter((id) => id !== undefined).sort();
  return { ...one, ...other, fromId, ...(beforeId === undefined ? {} : { beforeId }) };
}
