import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Change, changePath, changeText, joinChanges } from './changes.ts';

const key = { kind: 'key', id: 'k', name: null } as const;
const change = (action: string, more: Partial<Change> = {}): Change => ({
  at: '2026-11-12T10:00:00Z',
  action,
  subject: 'g1',
  name: null,
  by: key,
  rules: [],
  count: null,
  ...more,
});

describe('a change of the overview', () => {
  for (const [given, text, path] of [
    [change('gate.created', { name: 'Sign-up' }), 'Gate “Sign-up” created', 'gates/g1/history'],
    [
      change('gate.changed', { name: 'Sign-up', rules: [{ name: 'Relay', change: 'added' }] }),
      'Gate “Sign-up”: rule “Relay” added',
      'gates/g1/history',
    ],
    [
      change('gate.changed', {
        rules: [
          { name: 'a', change: 'removed' },
          { name: 'b', change: 'added' },
          { name: 'c', change: 'added' },
        ],
      }),
      'Gate: 2 rules added, 1 rule removed',
      'gates/g1/history',
    ],
    [change('gate.changed'), 'Gate: settings or order changed', 'gates/g1/history'],
    [change('blocklist.added', { count: 1 }), '1 domain added to the blocklist', 'blocklist'],
    [change('list.entries_removed', { name: 'VIP', count: 2 }), 'List “VIP”: 2 entries removed', 'custom-lists/g1'],
    [change('list.removed', { name: 'VIP' }), 'List “VIP” deleted', 'custom-lists'],
    [
      change('list.removed', { by: null, subject: 'disposable', count: 3 }),
      '3 entries removed from the list disposable',
      'lists',
    ],
    [change('list.refreshed', { by: null, count: 4 }), 'Lists refreshed: 4 new editions', 'lists'],
  ] as const) {
    it(`${text}, linked to its page`, () => {
      assert.equal(changeText(given), text);
      assert.equal(changePath(given, true), path);
    });
  }

  it('links a member to no page of the operator', () => {
    assert.equal(changePath(change('list.refreshed', { by: null }), false), null);
  });

  it('joins changes of one author within an hour, and keeps others apart', () => {
    const domain = (at: string, by = key) => change('blocklist.added', { at: `2026-11-12T${at}:00Z`, by, count: 1 });
    const joined = joinChanges([
      domain('10:30'),
      domain('10:20'),
      domain('10:10', { ...key, id: 'other' }),
      domain('09:00'),
    ]);
    assert.deepEqual(
      joined.map(({ at, count }) => [at.slice(11, 16), count]),
      [
        ['10:30', 2],
        ['10:10', 1],
        ['09:00', 1],
      ],
    );
  });
});
