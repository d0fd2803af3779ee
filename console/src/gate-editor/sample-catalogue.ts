import type { ConditionOperator } from '@signalpost/client';
import type { Catalogue } from './gate.ts';

const operator = (
  name: string,
  label: string,
  kind: ConditionOperator['value']['kind'],
  negated = false,
): ConditionOperator => ({ name, label, negated, value: { kind, pattern: false } });

/** A small catalogue for tests. */
export const sampleCatalogue: Catalogue = {
  fields: [
    {
      path: 'domain.public_domain',
      type: 'boolean',
      operators: ['equals', 'is_unknown'],
      description: '',
      label: 'Public mail',
      group: 'Domain · lists',
    },
    {
      path: 'domain.age_days',
      type: 'integer',
      operators: ['equals', 'less_than', 'between', 'in', 'is_unknown'],
      description: '',
      label: 'Age',
      group: 'Domain · standing',
      unit: 'days',
      minimum: 0,
    },
  ],
  operators: [
    operator('equals', 'is', 'one'),
    operator('less_than', 'is less than', 'one'),
    operator('between', 'is between', 'range'),
    operator('in', 'is one of', 'list'),
    operator('not_in', 'is none of', 'list', true),
    operator('is_known', 'is known', 'none'),
    operator('is_unknown', 'is unknown', 'none'),
  ],
};
