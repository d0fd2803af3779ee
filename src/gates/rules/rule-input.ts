import { described, type Input, into, nullable } from '../../input/input.ts';
import { items, list } from '../../input/list.ts';
import { defaulted, object, optional, partial } from '../../input/object.ts';
import { choice, flag, integer, text } from '../../input/scalar.ts';
import { characters, maxCharacters, notBlank, storable } from '../../input/text-limits.ts';
import { actions } from './action.ts';
import { conditionInput } from './condition-input.ts';
import { matchModes, type RuleDraft, ruleModes } from './rule.ts';

const maxConditions = 50;
const maxNameLength = 120;
const maxTextLength = 500;

/** A new rule and where to insert it; without a position it is appended. */
export interface NewRule {
  readonly draft: RuleDraft;
  readonly position: number | null;
}

/** The fields of a rule to change, and where to move it. */
export interface RuleChange {
  readonly changes: Partial<RuleDraft>;
  readonly position: number | null;
}

/** The name of a gate or a rule. */
export const nameInput = text('The name', [characters(1, maxNameLength), notBlank, storable]);

/** A text beside a name, or null for none. */
export const textInput = nullable(text('This field', [maxCharacters(maxTextLength), storable], 'a string or null'));

/** The answer of a gate or a rule. */
export const actionInput = choice('This field', actions);

/** The writable fields of a rule. */
export const ruleFields = {
  name: nameInput,
  description: textInput,
  message: textInput,
  match: choice('This field', matchModes),
  action: actionInput,
  stop: described(flag('This field'), { description: 'A match is final: the rules below are not evaluated' }),
  enabled: flag('This field'),
  mode: described(choice('This field', ruleModes), { description: 'shadow: evaluated and counted, never decides' }),
  conditions: list('The conditions', conditionInput, {
    limits: [items(1, maxConditions, `A rule must have 1 to ${maxConditions} conditions.`)],
  }),
};

/** The place of a rule in its gate. */
export const positionInput = described(integer('The position', { minimum: 0 }), {
  description: '0-based; past the end appends',
});

/** The problem with anything that is not a rule. */
export const notAnObject = 'A rule must be a JSON object.';

/** The fields of a rule, with their defaults. */
export const draftFields = {
  ...ruleFields,
  description: defaulted(textInput, null),
  message: defaulted(textInput, null),
  match: defaulted(ruleFields.match, 'all'),
  stop: defaulted(ruleFields.stop, false),
  enabled: defaulted(ruleFields.enabled, true),
  mode: defaulted(ruleFields.mode, 'live'),
};

/** Read-only fields of a rule or a gate; they are ignored when sent back. */
const shownFields = ['id', 'created_at', 'updated_at'];

export const newRuleInput: Input<NewRule> = into(
  object({ ...draftFields, position: optional(positionInput) }, { notAnObject, readOnly: shownFields }),
  ({ position = null, ...draft }) => ({ draft, position }),
);

/** The body of a change of a rule: any of its fields, each as strict as in a new rule. */
export const ruleChangeInput: Input<RuleChange> = into(
  object(partial({ ...ruleFields, position: positionInput }), { notAnObject, readOnly: shownFields }),
  ({ position = null, ...changes }) => ({ changes, position }),
);

/** A body of 1 MB holds 30,000 ids, which take longer to compare than the event loop may be blocked. */
const fewerThanABodyHolds = items(0, 5_000, 'The rule_ids must have one item for each rule of the gate.');

/** The body of a new order of rules; the gate checks that the ids are its own. */
export const orderInput: Input<readonly string[]> = into(
  object({ rule_ids: list('The rule_ids', text('The id of a rule'), { limits: [fewerThanABodyHolds] }) }),
  ({ rule_ids }) => rule_ids,
);
