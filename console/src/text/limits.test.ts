import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitText } from './limits.ts';

test('a limit that no installation reaches, as that of the self-hosted plan, is no limit', () => {
  assert.deepEqual(
    [limitText(200_000, 'credits'), limitText(1e9, 'credits'), limitText(15, 'requestsPerSecond')],
    ['200,000', 'no limit', '15'],
  );
});
