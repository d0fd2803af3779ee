import assert from 'node:assert/strict';
import { it } from 'node:test';
import { importedText, importLabel } from './blocklist.ts';

it('an import names the domains it adds, and the reasons it changes only if there are any', () => {
  const cases: readonly [added: number, changed: number, label: string, done: string][] = [
    [2, 0, 'Add 2 domains', '2 domains added'],
    [1, 2, 'Add 1 domain, change 2 reasons', '1 domain added, 2 reasons changed'],
    [0, 1, 'Change 1 reason', '1 reason changed'],
    [0, 0, 'Add 0 domains', '0 domains added'],
  ];
  for (const [added, changed, label, done] of cases) {
    assert.deepEqual([importLabel(added, changed), importedText(added, changed)], [label, done]);
  }
});
