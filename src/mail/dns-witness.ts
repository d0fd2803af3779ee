import type { DnsAnswer, DnsSource } from './dns-source.ts';

/** A DNS that notes whether a verdict worked out with it may be kept. */
export interface DnsWitness extends DnsSource {
  /** One of the answers given so far holds for the moment only, and so does every verdict that rests on it. */
  isFleeting(): boolean;
}

/** Watches the answers of one assessment. */
export function witnessDns(dns: DnsSource): DnsWitness {
  let fleeting = false;
  function note<T>(answer: DnsAnswer<T>): DnsAnswer<T> {
    if (answer.kind === 'none' && answer.fleeting === true) fleeting = true;
    return answer;
  }
  function watch<T>(answer: DnsAnswer<T> | Promise<DnsAnswer<T>>): DnsAnswer<T> | Promise<DnsAnswer<T>> {
    return answer instanceof Promise ? answer.then(note) : note(answer);
  }
  return {
    mx: (name, deadline) => watch(dns.mx(name, deadline)),
    txt: (name, deadline) => watch(dns.txt(name, deadline)),
    a: (name, deadline) => watch(dns.a(name, deadline)),
    aaaa: (name, deadline) => watch(dns.aaaa(name, deadline)),
    isFleeting: () => fleeting,
  };
}
