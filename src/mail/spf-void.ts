import type { Deadline } from '../platform/deadline.ts';
import type { DnsFailure } from './dns-failure.ts';
import type { DnsAnswer, DnsSource } from './dns-source.ts';

/** A term of an SPF tree that asks for addresses of a name. */
export interface AddressTerm {
  readonly kind: 'a' | 'exists';
  readonly name: string;
}

/** How many terms found nothing, and why others could not be asked. */
export interface VoidCount {
  readonly voids: number;
  readonly failures: readonly DnsFailure[];
}

/** Counts the void lookups among address terms (RFC 7208 section 4.6.4): questions answered with no record. */
export async function countVoids(
  terms: readonly AddressTerm[],
  dns: DnsSource,
  deadline: Deadline,
): Promise<VoidCount> {
  const answers = await Promise.all(terms.map((term) => askAddress(term, dns, deadline)));
  return {
    voids: answers.filter((answer) => answer.kind === 'none').length,
    failures: answers.flatMap((answer) => (answer.kind === 'failed' ? [answer.reason] : [])),
  };
}

/**
 * `a` asks for the address family of the sender (section 5.3). There is none, so the term is void only when it is void
 * for every sender. `exists` always asks for A (section 5.7).
 */
async function askAddress(term: AddressTerm, dns: DnsSource, deadline: Deadline): Promise<DnsAnswer<string>> {
  const answer = await dns.a(term.name, deadline);
  if (term.kind === 'exists' || answer.kind !== 'none' || answer.missing === 'name') return answer;
  return dns.aaaa(term.name, deadline);
}
