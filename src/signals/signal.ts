import type { Reading } from '../reading.ts';
import type { DomainFacts, ListSource } from './sources.ts';
import type { Subject } from './subject.ts';

/** What a signal may look at: the lists in memory, what the network has told about the domain, and the time. */
export interface Sources {
  readonly lists: ListSource;
  readonly facts: DomainFacts;
  readonly nowMs: number;
}

/** One thing the service can say about a domain or an address. Its entry in the registry is its whole registration. */
export interface Signal<T> {
  /** The field's name on the wire. */
  readonly name: string;
  /** One line about it, for the reference. */
  readonly summary: string;
  /** Left out of lookups on a plan that is not Pro. */
  readonly proOnly?: true;
  /** Pure and synchronous: what had to be asked was asked before. */
  read(subject: Subject, sources: Sources): Reading<T>;
}
