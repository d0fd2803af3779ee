import { described, type Input, into } from '../input/input.ts';
import { items, list } from '../input/list.ts';
import { defaulted, object, optional, partial } from '../input/object.ts';
import { choice } from '../input/scalar.ts';
import { type Gate, type SlowFact, slowFacts } from './gate.ts';
import type { SentRule } from './gate-edits.ts';
import { rulesInput } from './gate-rules-input.ts';
import { type Preset, presets } from './preset.ts';
import { actionInput, nameInput, textInput } from './rules/rule-input.ts';

/** A new gate as its author writes it. */
export interface NewGate extends Pick<Gate, 'name' | 'description' | 'defaultAction' | 'wait'> {
  /** The rules themselves, or the name of some. */
  readonly rules: readonly SentRule[] | Preset;
}

/** The fields of a gate to change; rules replace all there are. */
export type GateChange = Partial<Pick<Gate, 'name' | 'description' | 'defaultAction' | 'wait'>> & {
  readonly rules?: readonly SentRule[];
};

const mostNames = 50;

const waitInput: Input<readonly SlowFact[]> = described(
  into(
    list('The wait field', choice('Each name', slowFacts), {
      limits: [items(0, mostNames, `The wait field must not have more than ${mostNames} names.`)],
    }),
    (names) => [...new Set(names)],
  ),
  { description: 'Every decision holds for these slow facts' },
);

/** What the author of a gate writes. */
export const gateFields = {
  name: nameInput,
  description: textInput,
  default_action: actionInput,
  wait: waitInput,
};

/** What is shown of a gate and not set: sent back as it was read, it means nothing. */
const readOnly = ['id', 'rules_count', 'created_at', 'updated_at'];

/** The body of a new gate. */
export const newGateInput: Input<NewGate> = into(
  object(
    {
      name: nameInput,
      description: defaulted(textInput, null),
      default_action: defaulted(actionInput, 'allow'),
      wait: defaulted(waitInput, []),
      preset: optional(
        described(choice('This field', presets), { description: 'signup unless there are rules; not beside rules' }),
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

/** The body of a change of a gate. */
export const gateChangeInput: Input<GateChange> = into(
  object(partial({ ...gateFields, rules: rulesInput }), { readOnly }),
  ({ default_action, ...others }) =>
    default_action === undefined ? others : { ...others, defaultAction: default_action },
);
