import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FieldValues, signalsFromFields } from '../../../test/gates/signals-from-fields.ts';
import { deriveRules, type Examples } from './derive-rules.ts';
import { createExampleTable } from './example-table.ts';

interface Group {
  readonly count: number;
  readonly outcome?: 'good' | 'bad';
  readonly country: string;
  readonly localPart?: (index: number) => string;
}

const names = ['anna', 'johannes', 'li', 'maria', 'peter.k', 'olga_m'];

/** Rules from groups of sign-ups; every second one is held out. */
function derived(groups: readonly Group[], scales: Examples['scales'] = { good: 1, bad: 1, none: 1 }) {
  const table = createExampleTable();
  for (const { count, outcome, country, localPart } of groups) {
    for (let index = 0; index < count; index += 1) {
      const values: FieldValues = {
        'email.local_part': localPart?.(index) ?? names[index % names.length] ?? '',
        'ip.geo.country_code': country,
      };
      table.add(signalsFromFields(values), outcome);
    }
  }
  return deriveRules({ table, scales, isHeldOut: (row) => row % 2 === 0 }, () => null);
}

const good = { count: 4_000, outcome: 'good', country: 'DE' } as const;
const bad = { count: 60, outcome: 'bad', country: 'VN' } as const;

describe('derived rules', () => {
  it('are returned if a third of everything that they match is bad, entries without an outcome counted as good [D446]', async () => {
    const [rule] = await derived([good, bad, { count: 50, country: 'VN' }]);
    assert.deepEqual(rule?.conditions, [{ field: 'ip.geo.country_code', operator: 'equals', value: 'VN' }]);
    assert.deepEqual([rule?.bad.length, rule?.good.length, rule?.unknown.length], [60, 0, 50]);
  });

  it('are not returned if two thirds of what they match has no outcome [D446]', async () => {
    assert.deepEqual(await derived([{ ...good, count: 20_000 }, bad, { count: 130, country: 'VN' }]), []);
  });

  it('are not returned unless the share of bad entries is four times the usual one [D446]', async () => {
    const among = (badElsewhere: number) =>
      derived([
        { ...good, count: 5_000 },
        { ...bad, count: 200 },
        { count: 60, country: 'VN' },
        { ...bad, count: badElsewhere, country: 'DE' },
      ]);
    assert.equal((await among(0)).length, 1);
    assert.deepEqual(await among(4_000), []);
  });

  it('are not returned if they match more than 1.5 % of the entries that are not bad', async () => {
    const rules = (unknown: number) => derived([{ ...good, count: 1_000 }, bad, { count: unknown, country: 'VN' }]);
    assert.equal((await rules(10)).length, 1);
    assert.deepEqual(await rules(25), []);
  });

  it('count each row of a sample as often as its scale says', async () => {
    const groups = [good, bad, { count: 10, country: 'VN' }];
    assert.equal((await derived(groups)).length, 1);
    assert.deepEqual(await derived(groups, { good: 1, bad: 1, none: 16 }), []);
  });

  it('find the form of made-up local parts that occur once each', async () => {
    const localPart = (index: number): string => `${names[(index >> 1) % 4]}${100_000 + 7_919 * index}`;
    const [rule] = await derived([good, { ...bad, country: 'DE', localPart }]);
    assert.equal(rule?.bad.length, 60);
    assert.deepEqual(
      rule?.conditions.map(({ field, operator }) => [field, operator]),
      [['email.local_part', 'matches']],
    );
  });
});
