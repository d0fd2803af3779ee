import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refreshSentence } from './refresh.ts';

const of = (source: string, result: 'updated' | 'unchanged' | 'refused' | 'failed', added: number | null = null) => ({
  source,
  result,
  added,
  removed: added === null ? null : 9,
});

for (const [results, expected] of [
  [[], 'No source is enabled.'],
  [[of('fakefilter', 'unchanged')], 'Of 1 source, 1 was current.'],
  [
    [of('fakefilter', 'updated', 400), of('mailchecker', 'updated', 1_012), of('tranco', 'unchanged')],
    'Of 3 sources, 2 were updated (1,412 entries added, 18 removed) and 1 was current.',
  ],
  [
    [
      of('tor-exits', 'updated'),
      of('fakefilter', 'updated', 4),
      of('icloud-relay', 'failed'),
      of('mailchecker', 'refused'),
    ],
    'Of 4 sources, 2 were updated and 2 were not updated (iCloud Private Relay and mailchecker).',
  ],
] as const) {
  test(`the sentence after a refresh: ${expected}`, () => assert.equal(refreshSentence(results), expected));
}
