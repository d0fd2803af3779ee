import type { Rule } from '../../gate-editor/gate.ts';

/** The first rules of a new gate: those of the sign-up preset, changed or not. */
export interface GatePreset {
  readonly name: string;
  readonly about: string;
  /** Null: no rules. */
  readonly change: ((rule: Rule) => Rule) | null;
  /** Starts with a rule that allows the addresses on the list “Customers”. */
  readonly hasExceptions?: true;
}

const isShared = ({ conditions }: Rule) => conditions.some(({ field }) => field.startsWith('traffic.'));

/** The presets, the most common first. */
export const gatePresets: readonly GatePreset[] = [
  {
    name: 'Standard',
    about: 'Blocks what is bad in itself, challenges what is suspicious.',
    change: (rule) => rule,
    hasExceptions: true,
  },
  {
    name: 'Strict',
    about: 'Blocks the suspicious, too: Tor, VPN, proxy and very young domains.',
    // People share networks: that alone never blocks.
    change: (rule) => (isShared(rule) ? rule : { ...rule, action: 'block', stop: true }),
    hasExceptions: true,
  },
  {
    name: 'Monitor only',
    about: 'Allows everything and counts what the rules would do, until you make them live.',
    change: (rule) => ({ ...rule, mode: 'shadow' }),
  },
  { name: 'No rules', about: 'Every address is allowed until you add rules.', change: null },
];
