import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../../test/engines.ts';
import { createSecretBox, secretKeyFile } from './secret-box.ts';

describe('the secret box', () => {
  const key = 'a key of more than sixteen characters';

  it('opens what it sealed, and seals a text differently each time', () => {
    const box = createSecretBox(key, '');
    for (const text of ['', 'whsec_abc', 'bücher.example', 'x'.repeat(5_000)]) {
      const [one, other] = [box.seal(text), box.seal(text)];
      assert.notEqual(one, other);
      assert.match(one, /^v1\.[\w-]+$/);
      assert.deepEqual([box.open(one), createSecretBox(key, '').open(other)], [text, text]);
    }
  });

  it('opens nothing that another key sealed, that was changed, or that is no sealed text', () => {
    const box = createSecretBox(key, '');
    const sealed = box.seal('whsec_abc');
    assert.equal(createSecretBox(`${key}!`, '').open(sealed), null);
    for (const text of [
      '',
      'v1.',
      'v1.AAAA',
      'whsec_abc',
      sealed.slice(0, -3),
      sealed.replace('v1.', 'v2.'),
      `${sealed}AAAA`,
    ])
      assert.equal(box.open(text), null, text);
  });

  it('has the fingerprint of its key, which differs from those of other keys', () => {
    const fingerprint = createSecretBox(key, '').fingerprint();
    assert.equal(createSecretBox(key, '').fingerprint(), fingerprint);
    assert.notEqual(createSecretBox(`${key}!`, '').fingerprint(), fingerprint);
  });

  it('without a key generates one file that only its owner can read, and keeps using it', () => {
    const dataDir = join(temporaryDirectory(), 'new');
    const [one, other] = [createSecretBox(null, dataDir), createSecretBox(null, dataDir)];
    assert.ok(!existsSync(dataDir), 'not before it is used');
    one.prepare();
    assert.equal(other.open(one.seal('text')), 'text');
    assert.deepEqual(readdirSync(dataDir), [secretKeyFile]);
    assert.equal(statSync(join(dataDir, secretKeyFile)).mode & 0o777, 0o600);
  });

  it('with a key writes no file', () => {
    const dataDir = temporaryDirectory();
    createSecretBox(key, dataDir).seal('text');
    assert.deepEqual(readdirSync(dataDir), []);
  });
});
