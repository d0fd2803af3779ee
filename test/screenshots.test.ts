import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hashOfPicture, pictures, readRecord, shownSources } from '../scripts/screenshots.ts';
import { root } from '../scripts/test-files.ts';
import { documents } from './document-blocks.ts';

describe('the pictures of the documents', () => {
  const record = readRecord();
  const names = Object.keys(record.pictures);

  it('the pictures are those that the script took, and no others', () => {
    assert.deepEqual(readdirSync(pictures).sort(), [...names, 'screenshots.json'].sort());
    for (const name of names) assert.equal(hashOfPicture(name), record.pictures[name], name);
  });

  it('the pictures have at most 150 KB each, and documents show every one', () => {
    const text = documents.map((document) => readFileSync(join(root, document), 'utf8')).join('\n');
    for (const name of names) {
      assert.ok(statSync(join(pictures, name)).size <= 150 * 1024, name);
      assert.ok(text.includes(`images/${name})`), name);
    }
  });

  it('README begins with a picture of the console', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    assert.match(/!\[[^\]]+\]\(([^)]+)\)/.exec(readme)?.[1] ?? '', /images\/console-/);
    assert.ok(readme.indexOf('![') < readme.indexOf('\n## '));
  });

  it('the sources that the pictures show have a hash, so that a release can tell stale pictures', () => {
    assert.match(record.sources, /^[0-9a-f]{64}$/);
    assert.match(shownSources(), /^[0-9a-f]{64}$/);
  });
});
