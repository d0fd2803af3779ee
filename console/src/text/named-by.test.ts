import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listsBehind, type Naming } from './named-by.ts';

const naming = (source: string, says: Naming['says'] = 'disposable'): Naming => ({
  source,
  says,
  entry: 'mailinator.com',
  date: '2026-11-14T00:00:00.000Z',
});

for (const [what, path, value, namedBy, expected] of [
  ['a listed domain', 'domain.disposable', true, [naming('fakefilter')], 'on 1 list'],
  [
    'a domain with two entries of one source',
    'domain.disposable',
    true,
    [naming('operator'), naming('operator'), naming('data/relays.json', 'relay')],
    'on 1 list',
  ],
  [
    'a domain that no list has',
    'domain.disposable',
    true,
    [],
    'on no list: its mail servers belong to a disposable service',
  ],
  ['a single vote', 'domain.disposable', false, [naming('mailchecker')], 'on 1 list, which is not enough'],
  [
    'an allowed domain',
    'domain.disposable',
    false,
    [naming('mailchecker'), naming('data/allowlist.json', 'allowed')],
    'on 1 list, but Signalpost’s allowlist allows it',
  ],
  [
    'a relay',
    'domain.disposable',
    false,
    [naming('mailchecker'), naming('data/relays.json', 'relay')],
    'on 1 list, but it is a relay',
  ],
  ['a domain of a DNS blocklist', 'domain.spam', true, [], 'by a DNS blocklist'],
  ['a domain that nothing names', 'domain.disposable', false, [], null],
  ['a signal of no list', 'domain.mx', true, [naming('fakefilter')], null],
  ['an entry without logged lists', 'domain.disposable', true, null, null],
] as const) {
  test(`the lists behind a signal of ${what}: ${expected}`, () =>
    assert.equal(listsBehind(path, value, namedBy), expected));
}
