import { described, type Input, into } from '../input/input.ts';
import { items, list } from '../input/list.ts';
import { defaulted, object, optional, partial } from '../input/object.ts';
import { choice, integer } from '../input/scalar.ts';
import { type Gate, type SlowFact, slowFacts } from './gate.ts';
import type { SentRule } from './gate-edits.ts';
import { rulesInput } from './gate-rules-input.ts';
import { type Preset, presets } from './preset.ts';
import type { Action } from './rules/action.ts';
import { actionInput, nameInput, textInput } from './rules/rule-input.ts';

/** A new gate as its author writes it. */
export interface NewGate extends Pick<Gate, 'name' | 'description' | 'defaultAction' | 'wait'> {
  /** Rules, or the name of a preset. */
  readonly rules: readonly SentRule[] | Preset;
}

/** The fields of a gate to change; rules replace all there are. */
export type GateChange = Partial<Pick<Gate, 'name' | 'description' | 'defaultAction' | 'wait'>> & {
  readonly rules?: readonly SentRule[];
  /** The revision that the client has read; if the gate has another one now, nothing is changed. */
  readonly expectedRevision?: number;
};

const maxNames = 50;

const waitInput: Input<readonly SlowFact[]> = described(
  into(
    list('The wait field', choice('Each name', slowFacts), {
      limits: [items(0, maxNames, `The wait field must not have more than ${maxNames} names.`)],
    }),
    (names) => [...new Set(names)],
  ),
  { description: 'Every decision waits until these slow facts are resolved' },
);

/** The writable fields of a gate. */
export const gateFields = {
  name: nameInput,
  description: textInput,
  default_action: actionInput,
  wait: waitInput,
};

/** Read-only fields of a gate; they are ignored when sent back. */
const readOnly = ['id', 'rules_count', 'created_at', 'updated_at'];

export const newGateInput: Input<NewGate> = into(
  object(
    {
      name: nameInput,
      description: defaulted(textInput, null),
      default_action: defaulted(actionInput, 'allow'),
      wait: defaulted(waitInput, []),
      preset: optional(
        described(choice('This field', presets), {
          description: 'Defaults to signup unless rules are sent; cannot be combined with rules',
        }),
      ),
      rules: optional(rulesInput),
    },
    {
      readOnly,
      together({ preset, rules }, report) {
        if (preset !== undefined && rules !== undefined) report('preset', 'A gate takes rules or a preset, not both.');
      },
    },
  ),
  ({ default_action, preset = 'signup', rules, ...gate }) => ({
    ...gate,
    defaultAction: default_action,
    rules: rules ?? preset,
  }),
);

const expectedRevisionInput = described(integer('The expected_revision', { minimum: 0 }), {
  description: 'The revision the client read. If the gate has a different one, nothing changes (409 gate_changed)',
});

export const gateChangeInput: Input<GateChange> = into(
  object(partial({ ...gateFields, rules: rulesInput, expected_revision: expectedRevisionInput }), { readOnly }),
  changeOf,
);

/** The body that replaces all rules of a gate. */
export const replacementInput: Input<GateChange> = into(
  object({
    rules: rulesInput,
    ...partial({ default_action: actionInput, expected_revision: expectedRevisionInput }),
  }),
  changeOf,
);

/** The body that restores a revision. */
export const restoreInput = object(partial({ expected_revision: expectedRevisionInput }));

function changeOf<T extends object>({
  default_action,
  expected_revision,
  ...others
}: T & { readonly default_action?: Action; readonly expected_revision?: number }) {
  return {
    ...others,
    ...(default_action === undefined ? {} : { defaultAction: default_action }),
    ...(expected_revision === undefined ? {} : { expectedRevision: expected_revision }),
  };
}
