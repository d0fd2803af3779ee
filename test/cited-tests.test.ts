import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

for (const document of ['docs/reliability.md', 'SECURITY.md']) {
  test(`every test that ${document} cites exists`, () => {
    const root = new URL('../', import.meta.url);
    const named = readFileSync(new URL(document, root), 'utf8').match(/\b(?:src|test)\/[\w/.-]+\.test\.ts/g) ?? [];
    assert.ok(named.length > 5);
    assert.deepEqual(
      named.filter((file) => !existsSync(new URL(file, root))),
      [],
    );
  });
}
