import { blankRule } from '../draft.ts';
import type { Rule } from '../gate.ts';

/** Rules that most gates need some day, to begin with; each is complete and can be saved as it is. */
export const templates: readonly Rule[] = [
  {
    ...blankRule,
    name: 'Disposable address',
    match: 'any',
    action: 'block',
    stop: true,
    message: 'Disposable addresses are not accepted. Please use a permanent one.',
    conditions: [
      { field: 'domain.disposable', operator: 'equals', value: true },
      { field: 'email.disposable', operator: 'equals', value: true },
    ],
  },
  {
    ...blankRule,
    name: 'New domain',
    message: 'Please confirm your address: its domain is very new.',
    conditions: [{ field: 'domain.age_days', operator: 'less_than', value: 30 }],
  },
  {
    ...blankRule,
    name: 'Outside our countries',
    message: 'Please confirm that you are a person.',
    // In shadow mode, because the countries are only an example.
    mode: 'shadow',
    conditions: [{ field: 'ip.geo.country_code', operator: 'not_in', value: ['US', 'CA'] }],
  },
  {
    ...blankRule,
    name: 'Many from one network',
    message: 'Please confirm that you are a person.',
    mode: 'shadow',
    conditions: [{ field: 'traffic.network.addresses_1h', operator: 'greater_than_or_equal', value: 20 }],
  },
];
