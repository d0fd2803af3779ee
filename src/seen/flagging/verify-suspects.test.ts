import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type FlaggingParts, flaggingParts, owner } from '../../../test/flagging-parts.ts';
import type { FlagKind } from '../flag-kinds.ts';
import { propagationMs } from './lists-comparison.ts';
import { createSuspectVerifier, dropAfterMs, retryAfterMs } from './verify-suspects.ts';

describe('the suspect verifier', () => {
  let parts: FlaggingParts;
  /** What a lookup would say now, by `kind domain`; false for all others. */
  let answers: Map<string, boolean | null>;
  let asked: string[];
  let verify: () => Promise<number>;
  beforeEach(async () => {
    parts = await flaggingParts();
    answers = new Map();
    asked = [];
    verify = createSuspectVerifier({
      ...parts.options,
      async isFlaggedNow({ ascii }, kind) {
        asked.push(ascii);
        return answers.get(`${kind} ${ascii}`) ?? (answers.has(`${kind} ${ascii}`) ? null : false);
      },
    });
  });
  afterEach(() => parts.close());

  const suspect = async (domain: string, kind: FlagKind): Promise<void> => {
    await parts.store.addSuspects([{ domain, kind, notedAtMs: parts.options.now() }]);
    parts.advance(propagationMs);
  };
  const pending = async () =>
    (await parts.store.suspects(Number.MAX_SAFE_INTEGER, 10)).map(({ kind, domain }) => `${kind} ${domain}`);

  it('notifies the environments that saw a confirmed suspect unflagged, once, and drops the suspect', async () => {
    await parts.see('temp.example', owner('one'));
    await parts.see('temp.example', owner('two'), 'disposable');
    await parts.see('temp.example', owner('three', 'staging'), 'spam');
    await suspect('temp.example', 'disposable');
    answers.set('disposable temp.example', true);
    assert.equal(await verify(), 2);
    assert.deepEqual(parts.notified.sort(), [
      'one/production disposable temp.example',
      'three/staging disposable temp.example',
    ]);
    assert.deepEqual(await pending(), []);
    assert.equal(await verify(), 0);
  });

  it('waits until every process has written what it saw', async () => {
    await parts.see('temp.example', owner('one'));
    await parts.store.addSuspects([
      { domain: 'temp.example', kind: 'disposable', notedAtMs: parts.options.now() - propagationMs + 1 },
    ]);
    assert.equal(await verify(), 0);
    assert.deepEqual(asked, []);
    assert.deepEqual(await pending(), ['disposable temp.example']);
  });

  it('drops a suspect that no environment saw, or saw only as flagged, without a lookup', async () => {
    await parts.see('flagged.example', owner('one'), 'disposable');
    await suspect('unseen.example', 'disposable');
    await suspect('flagged.example', 'disposable');
    assert.equal(await verify(), 0);
    assert.deepEqual(asked, []);
    assert.deepEqual(await pending(), []);
  });

  it('drops a suspect whose mail servers turn out to be harmless', async () => {
    await parts.see('fine.example', owner('one'));
    await suspect('fine.example', 'disposable');
    assert.equal(await verify(), 0);
    assert.deepEqual(await pending(), []);
    assert.deepEqual(parts.notified, []);
  });

  it('retries a suspect whose state is unknown, not before the retry interval, and notifies once it is confirmed', async () => {
    await parts.see('temp.example', owner('one'));
    await suspect('temp.example', 'disposable');
    answers.set('disposable temp.example', null);
    await verify();
    parts.advance(retryAfterMs - 1);
    await verify();
    assert.deepEqual(asked, ['temp.example']);
    answers.set('disposable temp.example', true);
    parts.advance(1);
    assert.equal(await verify(), 1);
    assert.deepEqual(await pending(), []);
  });

  it('retries a suspect that no DNS blocklist confirms yet', async () => {
    await parts.see('listed.example', owner('one'));
    await suspect('listed.example', 'spam');
    await verify();
    assert.deepEqual(await pending(), ['spam listed.example']);
  });

  it('drops a suspect that stays unconfirmed', async () => {
    await parts.see('temp.example', owner('one'));
    await suspect('temp.example', 'disposable');
    answers.set('disposable temp.example', null);
    await verify();
    parts.advance(dropAfterMs);
    await verify();
    assert.deepEqual(await pending(), []);
    assert.deepEqual(parts.notified, []);
  });

  it('notifies with the registrable domain when a DNS blocklist lists all of it', async () => {
    await parts.see('mail.listed.example', owner('one'));
    await parts.see('other.listed.example', owner('two'));
    await suspect('mail.listed.example', 'spam');
    answers.set('spam listed.example', true);
    await verify();
    assert.deepEqual(parts.notified.sort(), [
      'one/production spam listed.example',
      'two/production spam listed.example',
    ]);
  });

  it('does not notify about the tenant of a private suffix below a listed domain', async () => {
    await parts.see('amazonaws.com', owner('one'));
    await parts.see('tenant.s3.amazonaws.com', owner('two'));
    await suspect('amazonaws.com', 'spam');
    answers.set('spam amazonaws.com', true);
    await verify();
    assert.deepEqual(parts.notified, ['one/production spam amazonaws.com']);
  });

  it('notifies only about the listed name when its registrable domain is not listed', async () => {
    await parts.see('mail.listed.example', owner('one'));
    await parts.see('other.listed.example', owner('two'));
    await suspect('mail.listed.example', 'spam');
    answers.set('spam mail.listed.example', true);
    await verify();
    assert.deepEqual(parts.notified, ['one/production spam mail.listed.example']);
  });

  it('does nothing while another process verifies', async () => {
    await parts.see('temp.example', owner('one'));
    await suspect('temp.example', 'disposable');
    answers.set('disposable temp.example', true);
    const other = parts.leasesOf('other');
    assert.ok(await other.acquire('compare suspects', 10_000));
    assert.equal(await verify(), 0);
    assert.deepEqual(await pending(), ['disposable temp.example']);
    await other.release('compare suspects');
    assert.equal(await verify(), 1);
  });
});
