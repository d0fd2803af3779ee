import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleCatalogue } from '../sample-catalogue.ts';
import { conditionOn, conditionWith } from './condition-value.ts';

const field = 'domain.age_days';
const young = { field, operator: 'less_than', value: 30 };
const withOperator = (operator: string, value: unknown) =>
  conditionWith(operator, { field, operator: 'equals', value }, sampleCatalogue).value;

describe('a condition with another operator', () => {
  it('drops the value when the operator takes none', () => {
    assert.deepEqual(conditionWith('is_unknown', young, sampleCatalogue), { field, operator: 'is_unknown' });
  });

  it('converts the value between one, a list and a range', () => {
    assert.deepEqual(withOperator('in', 30), [30]);
    assert.deepEqual(withOperator('between', 30), [30, 30]);
    assert.deepEqual(withOperator('between', [10, 20, 30]), [10, 20]);
    assert.equal(withOperator('less_than', [10, 20]), 10);
  });

  it('takes a list that fits the field, and keeps one that does', () => {
    const times = { created_at: '', updated_at: '' };
    const listOf = (id: string, kind: 'asn' | 'text') => ({
      id,
      kind,
      name: id,
      description: null,
      entries_count: 0,
      ...times,
    });
    const asn = { path: 'asn', type: 'integer', operators: [], description: '', label: 'AS', list_kinds: ['asn'] };
    const catalogue = {
      fields: [asn] as unknown as typeof sampleCatalogue.fields,
      operators: [
        { name: 'in_list', label: 'is on the list', negated: false, value: { kind: 'custom_list', pattern: false } },
      ],
      lists: [listOf('texts', 'text'), listOf('one', 'asn'), listOf('two', 'asn')],
    } as typeof sampleCatalogue & { lists: ReturnType<typeof listOf>[] };
    const chosen = (value: unknown) =>
      conditionWith('in_list', { field: 'asn', operator: 'equals', value }, catalogue).value;
    assert.deepEqual([chosen(5), chosen('two'), chosen('texts')], ['one', 'two', 'one']);
  });

  it('starts with the least value of the field when there is none', () => {
    assert.equal(withOperator('less_than', undefined), 0);
    assert.deepEqual(withOperator('between', undefined), [0, 0]);
  });
});

describe('a condition on another field', () => {
  it('keeps the operator and the value that the field takes', () => {
    assert.deepEqual(conditionOn(field, young, sampleCatalogue), young);
  });

  it('takes the first operator and a first value of a field of another type', () => {
    assert.deepEqual(conditionOn('domain.public_domain', young, sampleCatalogue), {
      field: 'domain.public_domain',
      operator: 'equals',
      value: true,
    });
  });
});
