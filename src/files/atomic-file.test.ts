import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../../test/engines.ts';
import { openDraft, writeFileAtomic } from './atomic-file.ts';

describe('an atomic file', () => {
  it('is replaced as a whole, in a folder that is made, and leaves no draft', () => {
    const folder = join(temporaryDirectory(), 'lists');
    const path = join(folder, 'file');
    writeFileAtomic(path, 'old');
    writeFileAtomic(path, Buffer.from('new'));
    assert.equal(readFileSync(path, 'utf8'), 'new');
    assert.deepEqual(readdirSync(folder), ['file']);
  });

  it('leaves no draft when it cannot be replaced', () => {
    const folder = temporaryDirectory();
    mkdirSync(join(folder, 'taken', 'inside'), { recursive: true });
    assert.throws(() => writeFileAtomic(join(folder, 'taken'), 'new'));
    assert.deepEqual(readdirSync(folder), ['taken']);
  });
});

describe('a draft', () => {
  it('replaces the file when it is published, with the time that was given', async () => {
    const path = join(temporaryDirectory(), 'file');
    writeFileAtomic(path, 'old');
    {
      await using draft = await openDraft(path);
      await draft.append('new ');
      await draft.append(Buffer.from('text'));
      assert.equal(readFileSync(path, 'utf8'), 'old');
      await draft.publish(1_700_000_000_000);
    }
    assert.equal(readFileSync(path, 'utf8'), 'new text');
    assert.equal(statSync(path).mtimeMs, 1_700_000_000_000);
  });

  it('changes nothing when it is not published', async () => {
    const folder = temporaryDirectory();
    writeFileAtomic(join(folder, 'file'), 'old');
    {
      await using draft = await openDraft(join(folder, 'file'));
      await draft.append('half');
    }
    assert.deepEqual([readdirSync(folder), readFileSync(join(folder, 'file'), 'utf8')], [['file'], 'old']);
  });
});
