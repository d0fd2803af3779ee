import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type FlaggingParts, flaggingParts, owner } from '../../../test/flagging-parts.ts';
import { createListsComparison, type FlagLists, propagationMs } from './lists-comparison.ts';

/** One revision of lists: which names they flag, and how. */
interface Revision {
  readonly disposable: readonly string[];
  readonly spam?: readonly string[];
}

describe('the comparison of lists with seen domains', () => {
  let parts: FlaggingParts;
  let revision: Revision;
  let changes: number;
  beforeEach(async () => {
    parts = await flaggingParts();
    revision = { disposable: [] };
    changes = 0;
  });
  afterEach(() => parts.close());

  const covers = (listed: readonly string[] = [], name: string): string | undefined =>
    listed.find((entry) => name === entry || name.endsWith(`.${entry}`));
  const lists: FlagLists<Revision> = {
    get revision() {
      return revision;
    },
    isListed: (kind, name) => kind !== 'relay' && covers(revision[kind], name) !== undefined,
    entryBehind: (kind, name) => covers(kind === 'spam' ? revision.spam : revision.disposable, name) ?? name,
    async changedSince(before) {
      changes += 1;
      const names = ({ disposable, spam = [] }: Revision) => [...disposable, ...spam];
      return new Set(names(revision)).difference(new Set(names(before)));
    },
    digest: async () => JSON.stringify(revision),
  };
  const comparison = () => createListsComparison({ ...parts.options, lists });
  /** Runs the comparison as often as it takes to notice a change and to act on it. */
  const run = async (compare: () => Promise<number>): Promise<number> => {
    const noticed = await compare();
    parts.advance(propagationMs);
    return noticed + (await compare());
  };

  it('notifies each environment that saw a newly listed name or a name below it once, with the listed name', async () => {
    const compare = comparison();
    await run(compare);
    await parts.see('bad.example', owner('one'));
    await parts.see('a.bad.example', owner('one'));
    await parts.see('b.bad.example', owner('two'));
    await parts.see('good.example', owner('three'));
    revision = { disposable: ['bad.example'] };
    assert.equal(await run(compare), 2);
    assert.deepEqual(parts.notified.sort(), [
      'one/production disposable bad.example',
      'two/production disposable bad.example',
    ]);
    assert.equal(await run(compare), 0);
  });

  it('does not notify an environment that saw the name with the same flag', async () => {
    const compare = comparison();
    await run(compare);
    await parts.see('bad.example', owner('one'), 'disposable');
    await parts.see('bad.example', owner('two'), 'spam');
    revision = { disposable: ['bad.example'] };
    await run(compare);
    assert.deepEqual(parts.notified, ['two/production disposable bad.example']);
  });

  it('acts only when a change is older than the propagation time', async () => {
    const compare = comparison();
    await run(compare);
    await parts.see('bad.example', owner('one'));
    revision = { disposable: ['bad.example'] };
    await compare();
    parts.advance(propagationMs - 1);
    assert.equal(await compare(), 0);
    parts.advance(1);
    assert.equal(await compare(), 1);
  });

  it('searches only changed names after the first comparison, and every seen name at a start with other lists', async () => {
    const compare = comparison();
    await run(compare);
    revision = { disposable: ['bad.example'] };
    await run(compare);
    assert.equal(changes, 1);
    await parts.see('new.example', owner('one'));
    revision = { disposable: ['bad.example', 'new.example'] };
    assert.equal(await run(comparison()), 1);
    assert.equal(changes, 1);
  });

  it('does nothing in a process that starts with lists that were compared before', async () => {
    revision = { disposable: ['bad.example'] };
    await run(comparison());
    await parts.see('bad.example', owner('one'));
    assert.equal(await run(comparison()), 0);
  });

  it('compares again after another process released the lease without a result', async () => {
    const compare = comparison();
    await run(compare);
    await parts.see('bad.example', owner('one'));
    revision = { disposable: ['bad.example'] };
    const other = parts.leasesOf('other');
    assert.ok(await other.acquire('compare lists', 10_000));
    assert.equal(await run(compare), 0);
    await other.release('compare lists');
    assert.equal(await compare(), 1);
  });

  it('sends one notification for hundreds of names below one entry, and notifies in several batches', async () => {
    const compare = comparison();
    await run(compare);
    await Promise.all(Array.from({ length: 300 }, (_, index) => parts.see(`n${index}.bad.example`, owner('one'))));
    await Promise.all(Array.from({ length: 450 }, (_, index) => parts.see(`spam${index}.example`, owner('one'))));
    revision = { disposable: ['bad.example'], spam: Array.from({ length: 450 }, (_, index) => `spam${index}.example`) };
    assert.equal(await run(compare), 451);
    assert.equal(new Set(parts.notified).size, 451);
    assert.equal(parts.notified.length, 451);
  });
});
