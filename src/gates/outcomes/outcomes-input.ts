import { type Address, parseAddress } from '../../address/address.ts';
import { normalizeAddress } from '../../address/normalize.ts';
import { type Input, into, nullable, refused } from '../../input/input.ts';
import { items, list } from '../../input/list.ts';
import { object, optional } from '../../input/object.ts';
import { choice, text } from '../../input/scalar.ts';
import { schema } from '../../input/schema.ts';
import { maxCharacters, storable } from '../../input/text-limits.ts';
import { type Outcome, outcomeNames } from '../decisions/outcome.ts';

/** The most outcomes of one request. */
export const maxOutcomes = 1_000;

/** An outcome, and the decisions it is about: one, or all about an address. */
export interface ReportedOutcome extends Outcome {
  readonly about: { readonly decisionId: string } | { readonly address: string };
}

const outcomeFields = {
  outcome: choice('The outcome', outcomeNames),
  reason: optional(nullable(text('The reason', [maxCharacters(200), storable]))),
};

/** The outcome of one decision. Without a reason, an earlier one is removed. */
export const outcomeInput: Input<Outcome> = into(object(outcomeFields), ({ outcome, reason = null }) => ({
  outcome,
  reason,
}));

const addressInput: Input<Address> = {
  schema: schema.string({ description: 'Applies to every logged decision about the normalised address' }),
  read(value, path, problems) {
    const address = typeof value === 'string' ? parseAddress(value) : null;
    if (address !== null) return address;
    problems.add(path, 'The email must be a valid email address.');
    return refused;
  },
};

const reportedInput: Input<ReportedOutcome> = into(
  object(
    { decision_id: optional(text('The decision_id')), email: optional(addressInput), ...outcomeFields },
    {
      notAnObject: 'Each outcome must be an object.',
      together({ decision_id, email }, report) {
        if (decision_id !== undefined && email !== undefined) report('email', 'Send decision_id or email, not both.');
      },
    },
  ),
  ({ decision_id, email, outcome, reason = null }) => ({
    about: email === undefined ? { decisionId: decision_id ?? '' } : { address: normalizeAddress(email) },
    outcome,
    reason,
  }),
);

/** An item without a subject is reported where the client sees it: at its index. */
const subjectRequired: Input<ReportedOutcome> = {
  schema: reportedInput.schema,
  read(value, path, problems) {
    const item = value as { decision_id?: unknown; email?: unknown } | null;
    const isMissing = typeof item === 'object' && item?.decision_id === undefined && item?.email === undefined;
    if (isMissing) problems.add(path, 'Send decision_id or email.');
    const read = reportedInput.read(value, path, problems);
    return isMissing ? refused : read;
  },
};

const maxItems = items(0, maxOutcomes, 'At most 1,000 outcomes can be sent together.');

/** Outcomes of many decisions. */
export const outcomesInput: Input<readonly ReportedOutcome[]> = into(
  object({ outcomes: list('The outcomes', subjectRequired, { limits: [maxItems] }) }),
  ({ outcomes }) => outcomes,
);

const decisionInput = into(
  object(
    { gate_id: text('The gate_id'), decision_id: text('The decision_id') },
    { notAnObject: 'Each decision must be an object.' },
  ),
  ({ gate_id, decision_id }) => ({ gateId: gate_id, decisionId: decision_id }),
);

/** Decisions whose outcomes are to be removed. */
export const decisionsInput = into(
  object({ decisions: list('The decisions', decisionInput, { limits: [maxItems] }) }),
  ({ decisions }) => decisions,
);
