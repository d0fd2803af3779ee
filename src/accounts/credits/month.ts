import type { Granted } from '../../http/admission.ts';
import type { Dirty, DirtyList } from '../../platform/pending-entries.ts';
import type { BillingCycle } from './billing-cycle.ts';

export const neverCurrent = -1;

/**
 * One account's month in this process. It is also the grant of its requests, so that a request that fails after the month ended
 * releases its credits to that month.
 */
export class Month implements BillingCycle, Granted, Dirty {
  readonly granted = true;
  isDirty = false;
  /**
   * The day, counted from 1970, on which this was last found to be the account's current month. Months begin at midnight UTC, so the
   * result holds for the rest of the day.
   */
  currentOnDay = neverCurrent;
  spent: number;
  /** The part of `spent` that is in the database. */
  written: number;
  /** The month's credits by the plan of the last request. */
  limit = 0;
  readonly #unwritten: DirtyList<Dirty>;
  readonly accountId: string;
  readonly startMs: number;
  readonly endMs: number;

  /** `written` is the initial count; `spend` adds the month to `unwritten`. */
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
