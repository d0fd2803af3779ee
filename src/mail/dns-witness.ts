import type { Deadline } from '../platform/deadline.ts';
import type { DnsAnswer, DnsSource } from './dns-source.ts';

/** A DNS that notes whether a verdict worked out with it may be kept. */
export interface DnsWitness extends DnsSource {
  /** One of the answers given so far holds for the moment only, and so does every verdict that rests on it. */
  isFleeting(): boolean;
}

/** Watches the answers of one assessment. */
export function witnessDns(dns: DnsSource): DnsWitness {
  return new Witness(dns);
}

/** A class, because several are made for every new domain, and this way they share their methods. */
class Witness implements DnsWitness {
  readonly #dns: DnsSource;
  #fleeting = false;

  constructor(dns: DnsSource) {
    this.#dns = dns;
  }

  mx(name: string, deadline: Deadline) {
    return this.#watch(this.#dns.mx(name, deadline));
  }

  txt(name: string, deadline: Deadline) {
    return this.#watch(this.#dns.txt(name, deadline));
  }

  a(name: string, deadline: Deadline) {
    return this.#watch(this.#dns.a(name, deadline));
  }

  aaaa(name: string, deadline: Deadline) {
    return this.#watch(this.#dns.aaaa(name, deadline));
  }

  isFleeting(): boolean {
    return this.#fleeting;
  }

  #watch<T>(answer: DnsAnswer<T> | Promise<DnsAnswer<T>>): DnsAnswer<T> | Promise<DnsAnswer<T>> {
    return answer instanceof Promise ? answer.then((resolved) => this.#note(resolved)) : this.#note(answer);
  }

  #note<T>(answer: DnsAnswer<T>): DnsAnswer<T> {
    if (answer.kind === 'none' && answer.fleeting === true) this.#fleeting = true;
    return answer;
  }
}
