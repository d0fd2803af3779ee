import { type ApiPromise, data } from './api-promise.ts';
import type { BodyOf, Call, DataOf } from './call.ts';
import type { CallOptions } from './settings.ts';

/** An outcome of a decision, or of every decision about an address. */
export interface ReportedOutcome extends ItemsOf<BodyOf<'reportOutcomes'>> {}
type ItemsOf<Body extends { outcomes: readonly unknown[] }> = Body['outcomes'][number];
/** How many decisions reported outcomes were applied to. */
export interface AppliedOutcomes extends DataOf<'reportOutcomes'> {}

/** The calls of outcomes. Reporting one twice changes nothing, so they are retried. */
export const outcomeCalls = (call: Call) => {
  const report = (outcomes: readonly ReportedOutcome[], options?: CallOptions): ApiPromise<AppliedOutcomes> =>
    data(call('reportOutcomes', { body: { outcomes: [...outcomes] } }, options));
  const reportOne =
    (outcome: 'good' | 'bad') =>
    (about: string, reason?: string, options?: CallOptions): ApiPromise<AppliedOutcomes> => {
      const subject = about.includes('@') ? { email: about } : { decision_id: about };
      return report([{ ...subject, outcome, ...(reason === undefined ? {} : { reason }) }], options);
    };
  return {
    /** Reports a real customer, by the id of a decision or by address. */
    good: reportOne('good'),
    /** Reports fraud, spam or abuse, by the id of a decision or by address. */
    bad: reportOne('bad'),
    /** Reports up to 1,000 outcomes, all or none. */
    report,
    /** Removes the outcome of a decision. */
    delete: (gate_id: string, decision_id: string, options?: CallOptions): ApiPromise<void> =>
      call('removeOutcome', { path: { gate_id, decision_id } }, options),
    /** Sets the outcome of one decision; fails when the gate's log does not have it. */
    set: (
      gate_id: string,
      decision_id: string,
      outcome: BodyOf<'setOutcome'>,
      options?: CallOptions,
    ): ApiPromise<DataOf<'setOutcome'>> =>
      data(call('setOutcome', { path: { gate_id, decision_id }, body: outcome }, options)),
  };
};
