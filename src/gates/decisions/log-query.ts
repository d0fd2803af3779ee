import { parseAddress } from '../../address/address.ts';
import { parseDomain } from '../../address/domain.ts';
import { parseIp } from '../../address/ip.ts';
import type { Call } from '../../http/endpoint.ts';
import { oneOf, schema } from '../../http/schema.ts';
import { isGateId } from '../gates.ts';
import { pageQuerySchema, readPage } from '../page-query.ts';
import { type QueryValues, readChoice, readQuery, readSpan } from '../query-value.ts';
import { actions } from '../rules/action.ts';
import type { AddressKeys } from './address-key.ts';
import type { LogFilter } from './decisions-store.ts';

/** Which part of the log of a gate is wanted. */
export interface LogQuery {
  readonly limit: number;
  readonly filter: LogFilter;
}

const time = schema.string({ description: 'ISO 8601' });

/** The query parameters of the decision log. */
export const logQuerySchema = schema.object({
  ...pageQuerySchema,
  email: schema.optional(schema.string({ description: 'This address, without regard to case' })),
  domain: schema.optional(schema.string({ description: 'This domain, and addresses at it' })),
  ip: schema.optional(schema.string()),
  action: schema.optional(oneOf(actions)),
  rule_id: schema.optional(schema.string({ description: 'Decisions this rule made' })),
  from: schema.optional(time),
  to: schema.optional(time),
});

/** Reads the query of the decision log. */
export function readLogQuery(query: Call['query'], keys: AddressKeys): LogQuery {
  return readQuery(query, (values) => {
    const { limit, beforeId } = readPage(values, 'decisions');
    const found: { -readonly [Key in keyof LogFilter]: LogFilter[Key] } = {
      ...readSpan({ from: values.text('from'), to: values.text('to') }, values.problems),
    };
    if (beforeId !== null) found.beforeId = beforeId;
    const emailKeys = parsed(values, 'email', 'an email address', (text) => emailKeysOf(text, keys));
    if (emailKeys !== undefined) found.emailKeys = emailKeys;
    const domain = parsed(values, 'domain', 'a domain', (text) => parseDomain(text)?.ascii ?? null);
    if (domain !== undefined) found.domain = domain;
    const ip = parsed(values, 'ip', 'an IP address', (text) => parseIp(text)?.text ?? null);
    if (ip !== undefined) found.ip = ip;
    const action = readChoice(values, 'action', actions);
    if (action !== undefined) found.action = action;
    const ruleId = parsed(values, 'rule_id', 'the id of a rule', (text) => (isGateId(text) ? text : null));
    if (ruleId !== undefined) found.ruleId = ruleId;
    return { limit, filter: found };
  });
}

function parsed<T>(
  { text, problems }: QueryValues,
  name: string,
  expected: string,
  parse: (text: string) => T | null,
): T | undefined {
  const given = text(name);
  if (given === undefined) return undefined;
  const value = parse(given);
  if (value !== null) return value;
  problems.add(name, `The ${name} parameter must be ${expected}.`);
  return undefined;
}

/** Outside of quotes an address holds no blank: it was a plus before the query was decoded. */
function emailKeysOf(text: string, keys: AddressKeys): readonly string[] | null {
  const address = parseAddress(text.startsWith('"') ? text : text.replaceAll(' ', '+'));
  return address === null ? null : keys.all(address.localPart, address.domain.ascii);
}
