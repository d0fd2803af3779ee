import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import { type Channel, connectCalls } from './calls.ts';

/** Both ends of a channel that delivers copies of messages, as a pipe between processes does. */
function connectedChannels(): readonly [Channel, Channel] {
  const [one, other] = [new EventEmitter(), new EventEmitter()];
  const channel = (own: EventEmitter, remote: EventEmitter): Channel => ({
    send: (message) => setImmediate(() => remote.emit('message', JSON.parse(JSON.stringify(message)))),
    on: (event, listener) => own.on(event, listener),
  });
  return [channel(one, other), channel(other, one)];
}

describe('calls between processes', () => {
  it('a call runs the named function of the other end and resolves to its result', async () => {
    const [one, other] = connectedChannels();
    const callOther = connectCalls(one, { double: async (number: number) => 2 * number });
    const callOne = connectCalls(other, { join: async (...texts: string[]) => texts.join() });
    assert.equal(await callOther('join', 'a', 'b'), 'a,b');
    assert.equal(await callOne('double', 21), 42);
  });

  it('a call rejects with the message of an error at the other end', async () => {
    const [one, other] = connectedChannels();
    connectCalls(other, { fail: () => Promise.reject(new Error('the disk is full')) });
    await assert.rejects(connectCalls(one, {})('fail'), /^Error: the disk is full$/);
  });

  it('a call of an unknown function rejects', async () => {
    const [one, other] = connectedChannels();
    connectCalls(other, {});
    await assert.rejects(connectCalls(one, {})('missing'), /unknown function "missing"/);
  });

  it('concurrent calls each get their own result in any order of completion', async () => {
    const [one, other] = connectedChannels();
    const pending: PromiseWithResolvers<string>[] = [];
    connectCalls(other, {
      wait: () => {
        const call = Promise.withResolvers<string>();
        pending.push(call);
        return call.promise;
      },
    });
    const call = connectCalls(one, {});
    const results = [call('wait'), call('wait')];
    while (pending.length < 2) await new Promise(setImmediate);
    pending[1]?.resolve('second');
    assert.equal(await results[1], 'second');
    pending[0]?.resolve('first');
    assert.equal(await results[0], 'first');
  });

  it('messages that are not calls are ignored', async () => {
    const [one, other] = connectedChannels();
    const call = connectCalls(one, {});
    connectCalls(other, { echo: async (text: string) => text });
    other.send({ reply: 99, value: 'to no call' });
    other.send({ kind: 'of another sender' });
    assert.equal(await call('echo', 'a'), 'a');
  });
});
