import type { Condition } from './rules/condition.ts';
import type { RuleDraft } from './rules/rule.ts';

/** The rule sets a new gate can start with. */
export const presets = ['signup', 'none'] as const;
export type Preset = (typeof presets)[number];

const isTrue = (field: string): Condition => ({ field, operator: 'equals', value: true });

const common = { description: null, enabled: true, mode: 'live' } as const;

const signupRules: readonly RuleDraft[] = [
  {
    ...common,
    name: 'Blocklisted domain',
    message: 'Addresses at this domain are not accepted.',
    match: 'all',
    action: 'block',
    stop: true,
    conditions: [isTrue('domain.blocklisted')],
  },
  {
    ...common,
    name: 'Disposable email',
    message: 'Disposable addresses are not accepted. Please use a permanent one.',
    match: 'any',
    action: 'block',
    stop: true,
    conditions: [isTrue('domain.disposable'), isTrue('email.disposable')],
  },
  {
    ...common,
    name: 'No MX records',
    message: 'This domain cannot receive mail.',
    match: 'all',
    action: 'block',
    stop: true,
    conditions: [{ field: 'domain.mx', operator: 'equals', value: false }],
  },
  {
    ...common,
    name: 'Spam domain',
    message: 'This domain is known for abuse.',
    match: 'all',
    action: 'block',
    stop: true,
    conditions: [isTrue('domain.spam')],
  },
  {
    ...common,
    name: 'Tor, VPN or proxy',
    message: 'Please confirm that you are a person.',
    match: 'any',
    action: 'challenge',
    stop: false,
    conditions: [
      isTrue('ip.anonymity.tor.detected'),
      isTrue('ip.anonymity.vpn.detected'),
      isTrue('ip.anonymity.proxy.detected'),
    ],
  },
  {
    ...common,
    name: 'Very young domain',
    message: 'Please confirm your address: its domain is very new.',
    match: 'all',
    action: 'challenge',
    stop: false,
    conditions: [{ field: 'domain.age_days', operator: 'less_than', value: 14 }],
  },
  {
    ...common,
    name: 'Many sign-ups from one network',
    message: 'Please confirm that you are a person.',
    match: 'all',
    action: 'challenge',
    stop: false,
    // Offices and carriers share networks: an operator sees its matches first and makes it live.
    mode: 'shadow',
    conditions: [{ field: 'traffic.network.addresses_1h', operator: 'greater_than_or_equal', value: 20 }],
  },
  {
    ...common,
    name: 'Part of a wave',
    message: 'Please confirm that you are a person.',
    match: 'all',
    action: 'challenge',
    stop: false,
    // Made live, it acts on an attack without a person.
    mode: 'shadow',
    conditions: [isTrue('traffic.in_wave')],
  },
];

/** The rules a new gate starts with. */
export function presetRules(preset: Preset): readonly RuleDraft[] {
  return preset === 'signup' ? signupRules : [];
}
