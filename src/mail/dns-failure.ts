import { type Unknown, unknown } from '../reading.ts';
import type { DnsAnswer } from './dns-source.ts';

/** Why a question to the DNS got no answer. */
export type DnsFailure = Extract<DnsAnswer<never>, { kind: 'failed' }>['reason'];

/** The unknown reading that a failed question leaves behind. */
export function unknownFromDns(reason: DnsFailure): Unknown {
  return unknown(reason === 'offline' || reason === 'timeout' || reason === 'untrusted' ? reason : 'failed');
}
