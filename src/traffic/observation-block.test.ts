import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseIp } from '../address/ip.ts';
import { actions, trait } from './observation.ts';
import { actionOf, idEndText, madeAtMs, ObservationBlock, traitsOf, word, wordsEach } from './observation-block.ts';
import { createSubjectHashes } from './subject-hashes.ts';
import { createTraffic } from './traffic.ts';
import { createTrafficCounts } from './traffic-counts.ts';

it('an observation is read from its block as it was counted, with its decision', () => {
  const nowMs = Date.UTC(2026, 10, 17, 12, 4, 59, 990);
  let clockMs = nowMs;
  const block = new ObservationBlock();
  const { count, decided } = createTraffic({
    counts: createTrafficCounts(1_000_000),
    hashes: createSubjectHashes('a secret'),
    now: () => clockMs,
    openBlock: () => block,
  });
  const visit = {
    owner: { accountId: 'account', environment: 'production' as const },
    address: 'jane@example.com',
    spelling: 'j.ane@example.com',
    domain: 'example.com',
    mailServer: 'mx.example',
    ip: parseIp('203.0.113.7'),
    asn: 64_500,
    device: 'c0ffee',
    traits: trait.established | trait.fresh,
    shape: 'aaaa',
  };
  const values = count(visit, 0);
  const decision = { id: '01KA3W2N8Q6W5T0G0VJ9F4ZC6D', action: 'challenge', createdAtMs: nowMs + 25 } as const;
  clockMs = nowMs + 30;
  decided(values, decision);
  decided([], decision);
  clockMs = nowMs;
  count({ ...visit, address: 'june@example.com' }, 0);
  const read = ObservationBlock.decode(block.encode());
  assert.equal(read.length, 2);
  for (let at = 0; at < 2 * wordsEach; at += 1) assert.equal(read.get(at), block.get(at), `word ${at}`);
  const made = [0, wordsEach].map((place) => [
    madeAtMs(read, place),
    traitsOf(read, place),
    actions[actionOf(read, place)],
    idEndText(read.get(place + word.idEnd)),
    read.get(place + word.asn),
  ]);
  assert.deepEqual(made, [
    [decision.createdAtMs, 10, 'challenge', '9F4ZC6D'.slice(1), 64_500],
    [nowMs, 10, '', '000000', 64_500],
  ]);
});

it('a block keeps its observations when it grows', () => {
  const block = new ObservationBlock();
  for (let index = 0; index < 100; index += 1) block.set(block.add() + word.decision, index + 1);
  const read = ObservationBlock.decode(block.encode());
  for (let index = 0; index < 100; index += 1)
    assert.equal(read.get(index * wordsEach + word.decision), index + 1, `observation ${index}`);
});
