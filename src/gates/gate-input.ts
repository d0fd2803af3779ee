import { type Input, into } from '../input/input.ts';
import { defaulted, object, partial } from '../input/object.ts';
import { choice } from '../input/scalar.ts';
import type { Gate } from './gate.ts';
import { type Preset, presets } from './preset.ts';
import { actionInput, nameInput, textInput } from './rules/rule-input.ts';

/** A new gate as its author writes it. */
export interface NewGate extends Pick<Gate, 'name' | 'description' | 'defaultAction'> {
  readonly preset: Preset;
}

/** The fields of a gate to change. */
export type GateChange = Partial<Pick<Gate, 'name' | 'description' | 'defaultAction'>>;

/** What the author of a gate writes. */
export const gateFields = { name: nameInput, description: textInput, default_action: actionInput };

/** The body of a new gate. */
export const newGateInput: Input<NewGate> = into(
  object({
    name: nameInput,
    description: defaulted(textInput, null),
    default_action: defaulted(actionInput, 'allow'),
    preset: defaulted(choice('This field', presets), 'signup'),
  }),
  ({ default_action, ...gate }) => ({ ...gate, defaultAction: default_action }),
);

/** The body of a change of a gate. */
export const gateChangeInput: Input<GateChange> = into(object(partial(gateFields)), ({ default_action, ...texts }) =>
  default_action === undefined ? texts : { ...texts, defaultAction: default_action },
);
