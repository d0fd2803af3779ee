import type { Granted } from '../../http/admission.ts';
import type { Dirty, DirtyList } from '../../platform/pending-entries.ts';
import type { BillingCycle } from './billing-cycle.ts';

export const neverFound = -1;

/**
 * One account's month in this process. It is also what its requests are granted: what fails after the month ended is given back
 * to that month.
 */
export class Month implements BillingCycle, Granted, Dirty {
  // What every request changes or looks at comes first: it is together in the processor's cache.
  readonly granted = true;
  isDirty = false;
  /**
   * The day, counted from 1970, on which it was last found to be the month that its account is in. Months begin and end with a
   * day, so it is that for the rest of it.
   */
  foundOnDay = neverFound;
  spent: number;
  /** Of `spent`, what is in the database. */
  written: number;
  /** By the plan of whoever used some last. */
  limit = 0;
  readonly #unwritten: DirtyList<Dirty>;
  readonly accountId: string;
  readonly startMs: number;
  readonly endMs: number;

  /** `written` is where this process begins to count; once more is spent, the month waits in the list of those to be written. */
  constructor(accountId: string, { startMs, endMs }: BillingCycle, written: number, unwritten: DirtyList<Dirty>) {
    this.spent = written;
    this.written = written;
    this.#unwritten = unwritten;
    this.accountId = accountId;
    this.startMs = startMs;
    this.endMs = endMs;
  }

  spend(credits: number): Granted {
    this.spent += credits;
    this.#unwritten.add(this);
    return this;
  }

  release(credits: number): void {
    this.spend(-credits);
  }
}
