import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WaitingList } from './waiting-list.ts';

describe('a waiting list', () => {
  const named = (name: string) => ({ name, isWaiting: false });

  it('a waiting list hands over what was added once, however often it was added, in the order in which it came', () => {
    const list = new WaitingList<ReturnType<typeof named>>();
    const [one, other] = [named('one'), named('other')];
    for (const added of [one, other, one]) list.add(added);
    assert.equal(list.size, 2);
    assert.deepEqual(list.take(), [one, other]);
    assert.deepEqual([list.size, list.take()], [0, []]);
  });

  it('a waiting list takes what it handed over again', () => {
    const list = new WaitingList<ReturnType<typeof named>>();
    const one = named('one');
    list.add(one);
    list.take();
    list.add(one);
    assert.deepEqual(list.take(), [one]);
  });

  it('a waiting list has all that wait written some at a time, and those that could not be written wait again', async () => {
    const list = new WaitingList<ReturnType<typeof named>>();
    const all = ['a', 'b', 'c', 'd', 'e'].map(named);
    for (const one of all) list.add(one);
    const written: string[][] = [];
    const write = async (some: readonly { name: string }[]) => {
      if (written.length === 1) throw new Error('the storage is away');
      written.push(some.map(({ name }) => name));
    };
    await assert.rejects(list.drain(2, write), /the storage is away/);
    assert.deepEqual(written, [['a', 'b']]);
    assert.deepEqual(list.take(), all.slice(2));
  });
});
