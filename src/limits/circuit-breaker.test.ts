import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCircuitBreaker } from './circuit-breaker.ts';

function start() {
  const events: string[] = [];
  const breaker = createCircuitBreaker({
    onOpen: (error) => events.push(`open: ${(error as Error).message}`),
    onClosed: () => events.push('closed'),
  });
  return { breaker, events };
}

const fail = (message: string) => () => Promise.reject(new Error(message));

describe('circuit breaker', () => {
  it('the circuit breaker returns the result of a call while it is closed', async () => {
    const { breaker, events } = start();
    assert.equal(await breaker.run(async () => 1), 1);
    assert.deepEqual([breaker.isOpen(), events], [false, []]);
  });

  it('the circuit breaker opens after a failed call, reports it once, and rejects further calls without making them', async () => {
    const { breaker, events } = start();
    await assert.rejects(breaker.run(fail('refused')), /refused/);
    await assert.rejects(breaker.run(assert.fail), /an earlier call failed/);
    await assert.rejects(breaker.probe(fail('still refused')), /still refused/);
    assert.deepEqual([breaker.isOpen(), events], [true, ['open: refused']]);
  });

  it('the circuit breaker rejects a call without an answer within 50 ms, and opens', async () => {
    const { breaker, events } = start();
    await assert.rejects(
      breaker.run(() => new Promise(() => {})),
      /no answer within 50 ms/,
    );
    assert.deepEqual(events, ['open: no answer within 50 ms']);
  });

  it('the circuit breaker closes after a successful probe, and reports it once', async () => {
    const { breaker, events } = start();
    breaker.open(new Error('disconnected'));
    breaker.open(new Error('disconnected again'));
    assert.equal(await breaker.probe(async () => 2), 2);
    assert.equal(await breaker.run(async () => 3), 3);
    assert.deepEqual(events, ['open: disconnected', 'closed']);
  });
});
