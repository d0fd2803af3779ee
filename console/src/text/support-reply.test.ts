import assert from 'node:assert/strict';
import { test } from 'node:test';
import { supportReply } from './support-reply.ts';

test('a reply repeats what the visitor saw, and no rule or signal', () => {
  const at = new Date().toISOString();
  const decided = {
    action: 'block',
    subject: 'joe@mailinator.com',
    at,
    message: 'Please use a permanent one.',
    decisionId: '01KA',
  } as const;
  assert.match(
    supportReply(decided),
    /^Your sign-up with joe@mailinator\.com on \d+ \w+ was not accepted\.\nPlease use a permanent one\.\nIf you think.*\nReference: 01KA$/,
  );
  assert.doesNotMatch(supportReply({ ...decided, action: 'allow' }), /mistake|permanent/);
});
