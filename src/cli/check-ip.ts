import { parseIp } from '../address/ip.ts';
import type { IpData } from '../ip/ip-data.ts';
import { ipSignals } from '../ip/ip-signals.ts';
import type { Explanation } from '../signals/engine.ts';
import type { CheckedValue } from './check-text.ts';

/** The fields of an IP address as Gates names them, with the reasons when requested. */
export async function checkIp(data: IpData, value: string, explain: boolean): Promise<CheckedValue> {
  const ip = parseIp(value);
  if (ip === null) return { value, error: 'invalid_ip' };
  await data.loaded;
  const known = data.read(ip);
  const fields = ipSignals.map(({ gates, read }) => [gates?.name ?? '', read(known)] as const);
  const evidence = data.explain(ip);
  const reasons = fields.map(([name, field]): [string, Explanation] => [
    `ip.${name}`,
    field === null ? { known: false, reason: 'no_data' } : { known: true, evidence: evidence[name] ?? [] },
  ]);
  return {
    value,
    body: {
      ...Object.fromEntries(fields.map(([name, field]) => [`ip.${name}`, field])),
      ...(explain ? { explain: Object.fromEntries(reasons) } : {}),
    },
  };
}
