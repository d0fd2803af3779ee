import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSecretTokens } from './secret-token.ts';

describe('a secret token', () => {
  const tokens = createSecretTokens('the secret of this installation', 'session');
  const token = tokens.create();

  it('is valid for its installation and purpose, and is stored as a hash', () => {
    const hash = tokens.hashOf(token);
    assert.match(hash ?? '', /^[0-9a-f]{64}$/);
    assert.ok(!token.includes(hash ?? ''));
    assert.notEqual(tokens.create(), token);
  });

  it('is invalid for another purpose or installation', () => {
    assert.equal(createSecretTokens('the secret of this installation', 'link').hashOf(token), null);
    assert.equal(createSecretTokens('the secret of another one', 'session').hashOf(token), null);
  });

  it('is invalid when changed or forged', () => {
    for (let at = 0; at < token.length; at += 1) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      assert.equal(tokens.hashOf(changed), null, `character ${at}`);
    }
    for (const made of ['', token.slice(1), `${token}A`, `${token} `, '='.repeat(59), 'é'.repeat(59)])
      assert.equal(tokens.hashOf(made), null, made);
  });
});
