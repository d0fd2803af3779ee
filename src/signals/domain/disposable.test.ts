import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Sources } from '../signal.ts';
import type { ListName } from '../sources.ts';
import { disposableByMail } from './disposable.ts';

const mail = { host: 'mx.example.net', service: null, sharedBy: 12, isCertain: false };

/** Lists that say the same of every name. */
function sourcesOf(said: { isRelay?: boolean; isAllowed?: boolean; isTrusted?: boolean }, isCertain: boolean): Sources {
  const { isRelay = false, isAllowed = false, isTrusted = isRelay || isAllowed } = said;
  const lists = {
    isListed: (list: ListName) => list === 'relay' && isRelay,
    isAllowed: () => isAllowed,
    isTrusted: () => isTrusted,
  };
  return { lists, facts: { disposableMail: { ...mail, isCertain } } } as unknown as Sources;
}

const isFlagged = (said: Parameters<typeof sourcesOf>[0], isCertain: boolean): boolean =>
  disposableByMail('example.com', sourcesOf(said, isCertain)) !== null;

it("a learnt mail server does not count against trusted names, a known service's server does", () => {
  assert.deepEqual([isFlagged({}, false), isFlagged({}, true)], [true, true]);
  assert.deepEqual([isFlagged({ isTrusted: true }, false), isFlagged({ isTrusted: true }, true)], [false, true]);
});

it('a mail server says nothing against relays and what the operator allows [D294]', () => {
  for (const said of [{ isRelay: true }, { isAllowed: true }]) {
    assert.deepEqual([isFlagged(said, false), isFlagged(said, true)], [false, false]);
  }
});
