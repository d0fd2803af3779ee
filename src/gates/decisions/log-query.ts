import { parseAddress } from '../../address/address.ts';
import { parseDomain } from '../../address/domain.ts';
import { parseIp } from '../../address/ip.ts';
import { pageParameters } from '../../http/page.ts';
import { type Input, into } from '../../input/input.ts';
import { optional } from '../../input/object.ts';
import { parsed, query } from '../../input/parameter.ts';
import { checkSpan } from '../../input/span.ts';
import type { AddressKeys } from './address-key.ts';
import type { LogFilter } from './decisions-store.ts';
import { filterOf, filterParameters } from './filter-parameters.ts';

/** Which part of the log of a gate is wanted. */
export interface LogQuery {
  readonly limit: number;
  readonly filter: LogFilter;
}

/** The query of the decision log. */
export function logQuery(keys: AddressKeys): Input<LogQuery> {
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
