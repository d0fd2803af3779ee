import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reportOldEditions } from './old-editions.ts';
import type { SourceStatus } from './snapshot/snapshot-file.ts';

const now = Date.parse('2026-11-15T12:00:00Z');
const edition = (name: string, date: string | null): SourceStatus => ({
  name,
  date,
  version: '1.0.0',
  count: 1,
  licence: 'MIT',
});

function linesFor(sources: readonly SourceStatus[]): [level: string, fields: object, message: string][] {
  const lines: [string, object, string][] = [];
  const log = {
    info: (fields: object, message: string) => void lines.push(['info', fields, message]),
    warn: (fields: object, message: string) => void lines.push(['warn', fields, message]),
  };
  reportOldEditions(sources, new Set(['fakefilter', 'mailchecker']), log, now);
  return lines;
}

describe('a start with old editions', () => {
  it('a start with old editions names each of them with its date in one line that says what to do', () => {
    const lines = linesFor([
      edition('fakefilter', '2026-05-13T21:28:19Z'),
      edition('mailchecker', '2026-10-17T12:00:00Z'),
      edition('freemail', '2024-12-13T04:57:28Z'),
      edition('data/relays.json', null),
    ]);
    assert.deepEqual(lines, [
      [
        'warn',
        { editions: { fakefilter: '2026-05-13', freemail: '2024-12-13' } },
        'lists: editions are older than 30 days; run `signalpost lists update`',
      ],
    ]);
  });

  it('a start with old editions does not warn about editions that no download replaces', () => {
    const [line, ...others] = linesFor([edition('freemail', '2024-12-13T04:57:28Z')]);
    assert.equal(line?.[0], 'info');
    assert.match(line[2], /newer release/);
    assert.deepEqual(others, []);
  });

  it('a start logs nothing about editions of the last 30 days', () => {
    assert.deepEqual(linesFor([edition('fakefilter', '2026-10-16T12:00:00Z'), edition('data/roles.json', null)]), []);
  });
});
