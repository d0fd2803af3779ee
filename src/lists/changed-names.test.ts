import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changedNames, listsDigest } from './changed-names.ts';
import { entryBehind } from './entry-behind.ts';
import { type ListState, listState } from './list-state.ts';
import { operatorEntries } from './operator/operator-entries.ts';
import type { OperatorEntry } from './operator/operator-list.ts';
import { Flag, trustShift } from './snapshot/flags.ts';
import { buildTable } from './snapshot/list-table.ts';
import type { SnapshotHeader } from './snapshot/snapshot-file.ts';

const header: SnapshotHeader = {
  builtAt: '2026-11-15T00:00:00Z',
  fingerprint: '',
  sources: [],
  counts: {},
  droppedSuffixes: [],
  refused: [],
  providers: [],
  roles: [],
  roleWords: [],
  rolePlaces: [],
};

function state(flags: Readonly<Record<string, number>>, own: readonly OperatorEntry[] = []): ListState {
  const entries = Object.entries(flags).map(([name, each]) => ({ name, flags: each, sources: 0, provider: 0 }));
  return listState({ header, table: buildTable(entries), sizeBytes: 0 }, operatorEntries(own));
}

const noPause = () => null;
const changed = async (one: ListState, other: ListState) => [...(await changedNames(one, other, noPause))].sort();

describe('names that changed between two editions of lists', () => {
  it('changed names are those added, removed or flagged differently', async () => {
    const before = state({ 'a.com': Flag.strong, 'b.com': Flag.weak, 'c.com': Flag.relay, 'ab.com': Flag.spam });
    const after = state({
      'a.com': Flag.strong,
      'b.com': Flag.weak | Flag.allow,
      'd.com': Flag.strong,
      'ab.com': Flag.spam,
    });
    assert.deepEqual(await changed(before, after), ['b.com', 'c.com', 'd.com']);
    assert.deepEqual(await changed(after, before), ['b.com', 'c.com', 'd.com']);
    assert.deepEqual(await changed(before, before), []);
    assert.deepEqual(await changed(state({}), before), ['a.com', 'ab.com', 'b.com', 'c.com']);
  });

  it('changed names omit entries whose flags are unchanged', async () => {
    const before = state({ 'a.com': Flag.strong, com: 3 << trustShift });
    const after = state({ 'a.com': Flag.strong | Flag.known, com: 4 << trustShift, org: 4 << trustShift });
    assert.deepEqual(await changed(before, after), []);
  });

  it('changed names are those of the operator, too', async () => {
    const listed = { 'a.com': Flag.strong };
    const before = state(listed, [{ list: 'allow', entry: 'a.com' }]);
    const after = state(listed, [{ list: 'spam', entry: 'b.com' }]);
    assert.deepEqual(await changed(before, after), ['a.com', 'b.com']);
  });

  it('the digest of lists is equal exactly for equal lists', async () => {
    const entries = { 'a.com': Flag.strong, 'b.com': Flag.weak };
    const digest = await listsDigest(state(entries), noPause);
    assert.equal(await listsDigest(state({ 'b.com': Flag.weak, 'a.com': Flag.strong }), noPause), digest);
    assert.notEqual(await listsDigest(state({ ...entries, 'b.com': Flag.strong }), noPause), digest);
    assert.notEqual(await listsDigest(state({ 'a.com': Flag.strong, 'c.com': Flag.weak }), noPause), digest);
    assert.notEqual(await listsDigest(state(entries, [{ list: 'spam', entry: 'a.com' }]), noPause), digest);
  });

  it('the entry behind a name is the nearest that flags it, the operator’s before others', () => {
    const lists = state({ 'a.com': Flag.strong, 'x.a.com': Flag.spam }, [{ list: 'disposable', entry: 'y.x.a.com' }]);
    assert.deepEqual(
      [
        entryBehind(lists, 'disposable', 'x.a.com'),
        entryBehind(lists, 'spam', 'z.x.a.com'),
        entryBehind(lists, 'disposable', 'z.y.x.a.com'),
        entryBehind(lists, 'relay', 'a.com'),
      ],
      ['a.com', 'x.a.com', 'y.x.a.com', 'a.com'],
    );
  });
});
