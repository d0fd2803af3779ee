import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type FlaggingParts, flaggingParts, owner } from '../../../test/flagging-parts.ts';
import { createMailServersComparison } from './mail-servers-comparison.ts';

describe('the comparison of learnt mail servers with seen domains', () => {
  let parts: FlaggingParts;
  let learnt: ReadonlyMap<string, number>;
  let searched: string[];
  let domains: Readonly<Record<string, readonly string[]>>;
  beforeEach(async () => {
    parts = await flaggingParts();
    learnt = new Map();
    searched = [];
    domains = {};
  });
  afterEach(() => parts.close());

  const comparison = () =>
    createMailServersComparison({
      ...parts.options,
      servers: {
        learnt: () => learnt,
        async *pointingAt(host) {
          searched.push(host);
          yield domains[host] ?? [];
        },
      },
    });
  const suspects = async () =>
    (await parts.store.suspects(Number.MAX_SAFE_INTEGER, 10)).map(({ kind, domain }) => `${kind} ${domain}`).sort();

  it('records seen domains of a newly learnt server as suspects, and neither unseen nor flagged ones nor names below them', async () => {
    for (const name of ['seen.example', 'below.seen.example']) await parts.see(name, owner('one'));
    await parts.see('flagged.example', owner('one'), 'disposable');
    domains = { 'mx.temp.example': ['seen.example', 'flagged.example', 'unseen.example'] };
    const compare = comparison();
    learnt = new Map([['mx.temp.example', 12]]);
    await compare();
    assert.deepEqual(await suspects(), ['disposable seen.example']);
  });

  it('searches only for servers that are new', async () => {
    const compare = comparison();
    learnt = new Map([['mx.one.example', 1]]);
    await compare();
    learnt = new Map([
      ['mx.one.example', 2],
      ['mx.two.example', 1],
    ]);
    await compare();
    learnt = new Map([
      ['mx.one.example', 3],
      ['mx.two.example', 3],
    ]);
    await compare();
    assert.deepEqual(searched, ['mx.one.example', 'mx.two.example']);
  });

  it('does nothing in a process that starts with servers that were compared before', async () => {
    learnt = new Map([['mx.one.example', 1]]);
    await comparison()();
    await comparison()();
    assert.deepEqual(searched, ['mx.one.example']);
  });

  it('compares again after another process released the lease', async () => {
    learnt = new Map([['mx.one.example', 1]]);
    const compare = comparison();
    const other = parts.leasesOf('other');
    assert.ok(await other.acquire('compare mail-servers', 10_000));
    await compare();
    assert.deepEqual(searched, []);
    await other.release('compare mail-servers');
    await compare();
    assert.deepEqual(searched, ['mx.one.example']);
  });
});
