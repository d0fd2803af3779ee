import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { type Browser, signedIn } from '../../test/session-api/browser.ts';
import { type StartedApp, startApp } from '../../test/start-app.ts';

await describeEngines('the blocklist in the console', (fresh) => {
  let started: StartedApp;
  let accountId: string;
  let browser: Browser;
  let stranger: Browser;
  before(async () => {
    started = await startApp({}, { database: await fresh() });
    stranger = await signedIn(started);
  });
  after(() => started.close());
  beforeEach(async () => {
    accountId = (await started.createAccount()).id;
    browser = await signedIn(started, { accountId });
  });

  const post = async <T = Record<string, unknown>>(path: string, body: object): Promise<T> => {
    const { status, json, text } = await browser.call<T>('POST', `/production/blocklist/${path}`, { body });
    assert.equal(status, 200, text);
    return json;
  };
  const add = (...domains: string[]) => post('import', { text: domains.join('\n') });
  const search = async (query: string, from = browser): Promise<string[]> => {
    const answer = await from.call<{ data: { domain: string }[] }>('GET', `/production/blocklist/search?${query}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.json.data.map(({ domain }) => domain);
  };
  const exportedEntries = async () =>
    (await browser.call<{ data: { domain: string; reason: string | null }[] }>('GET', '/production/blocklist/export'))
      .json.data;
  const exported = async (): Promise<unknown> => (await exportedEntries()).map(({ domain }) => domain);

  describe('200', () => {
    it("a search finds domains that contain a text, those that start with it first, and no other account's domains", async () => {
      await add('mail.example', 'my-mail.example', 'bücher.example', 'other.example');
      assert.deepEqual(await search('q=MAIL'), ['mail.example', 'my-mail.example']);
      assert.deepEqual(await search('q=mail&limit=1'), ['mail.example']);
      assert.deepEqual(await search('q=b%C3%BCcher'), ['xn--bcher-kva.example']);
      assert.deepEqual(await search('q=.example'), [
        'mail.example',
        'my-mail.example',
        'other.example',
        'xn--bcher-kva.example',
      ]);
      for (const wild of ['%25', '_', '%5C', "'", 'nothing']) assert.deepEqual(await search(`q=${wild}`), [], wild);
      assert.deepEqual(await search('q=mail', stranger), []);
    });

    it('a preview reports the result of an import without changing anything, and the import produces it', async () => {
      await add('listed.example');
      const text = [
        '# my list',
        'new.example',
        'LISTED.example',
        'new.example',
        'https://example.com',
        '',
        'bücher.example # a comment',
        'no domain',
        '192.0.2.1',
      ].join('\r\n');
      const wrong = [
        { line: 5, text: 'https://example.com', error: 'A scheme (https://) is no part of a domain.' },
        { line: 8, text: 'no domain', error: 'There is a blank in it.' },
        { line: 9, text: '192.0.2.1', error: 'An IP address is no domain.' },
      ];
      const rest = { listed: 1, changed: 0, repeated: 1, full: 0, wrong_count: 3, wrong };
      assert.deepEqual(await post('preview', { text }), { new: 2, ...rest });
      assert.deepEqual(await exported(), ['listed.example']);
      assert.deepEqual(await post('import', { text }), { added: 2, ...rest });
      assert.deepEqual(await exported(), ['listed.example', 'new.example', 'xn--bcher-kva.example']);
      assert.deepEqual(await post('import', { text }), { added: 0, ...rest, listed: 3 });
    });

    it('imports and exports more domains than one bulk request accepts', async () => {
      const domains = Array.from({ length: 2_500 }, (_, index) => `d${index}.example`);
      const { added } = await add(...domains);
      assert.equal(added, 2_500);
      assert.deepEqual(await exported(), domains);
    });

    it('an import reads a CSV column, and shows the first hundred wrong lines', async () => {
      const csv = ['name,domain', ...Array.from({ length: 150 }, () => 'x,no domain'), 'y,"good.example"'].join('\n');
      const { wrong, ...counts } = await post<{ wrong: unknown[] }>('preview', { text: csv });
      assert.deepEqual(counts, { new: 1, listed: 0, changed: 0, repeated: 0, full: 0, wrong_count: 150 });
      assert.equal(wrong.length, 100);
    });

    it('an import keeps the column "reason", which the list, a search and the export show', async () => {
      await post('import', {
        text: `reason,domain\n"Spam, again",a.example\n ,b.example\n${'x'.repeat(300)},c.example`,
      });
      const long = 'x'.repeat(200);
      assert.deepEqual(await exportedEntries(), [
        { domain: 'a.example', reason: 'Spam, again' },
        { domain: 'b.example', reason: null },
        { domain: 'c.example', reason: long },
      ]);
      for (const path of ['', '/search?q=.example']) {
        const { json } = await browser.call<{ data: { domain: string; reason?: string }[] }>(
          'GET',
          `/production/blocklist${path}`,
        );
        const reasons = json.data.toSorted((one, other) => (one.domain < other.domain ? -1 : 1));
        assert.deepEqual(
          reasons.map(({ reason }) => reason),
          ['Spam, again', undefined, long],
        );
      }
    });

    it('an import gives listed domains a new reason, and keeps those it does not name', async () => {
      await post('import', { text: 'domain,reason\na.example,Spam\nb.example,Fraud\nc.example,\nd.example,Spam' });
      const text = 'domain,reason\na.example,Worse\nb.example,\nc.example,Found\nd.example,Spam\ne.example,New';
      const rest = { listed: 4, changed: 2, repeated: 0, full: 0, wrong_count: 0, wrong: [] };
      assert.deepEqual(await post('preview', { text }), { new: 1, ...rest });
      assert.deepEqual(await post('import', { text }), { added: 1, ...rest });
      assert.deepEqual(
        (await exportedEntries()).map(({ reason }) => reason),
        ['Worse', 'Fraud', 'Found', 'Spam', 'New'],
      );
      const acts = await started.db.read
        .selectFrom('audit')
        .select('detail')
        .where('action', '=', 'blocklist.changed')
        .execute();
      assert.deepEqual(
        acts.map(({ detail }) => JSON.parse(detail)),
        [{ count: 2, domains: ['a.example', 'c.example'] }],
      );
      assert.deepEqual(await post('import', { text }), { added: 0, ...rest, listed: 5, changed: 0 });
    });

    it('lookups see a bulk removal immediately, and the response lists missing domains', async () => {
      await add('a.example', 'b.example', 'c.example');
      const isListed = async (domain: string) =>
        (await browser.call<{ blocklisted: boolean }>('GET', `/production/domain/${domain}`)).json.blocklisted;
      assert.equal(await isListed('a.example'), true);
      const sent = ['a.example', 'B.example', 'b.example', 'none.example', 'no domain'];
      const { removed, missing } = await post<{ removed: string[]; missing: string[] }>('remove', { domains: sent });
      assert.deepEqual(
        [removed.sort(), missing],
        [
          ['a.example', 'b.example'],
          ['none.example', 'no domain'],
        ],
      );
      assert.deepEqual(await Promise.all(['a.example', 'b.example', 'c.example'].map(isListed)), [false, false, true]);
      const page = await browser.call<{ meta: { total: number } }>('GET', '/production/blocklist');
      assert.equal(page.json.meta.total, 1);
      // Undo.
      assert.equal((await add(...removed)).added, 2);
      assert.equal(await isListed('a.example'), true);
    });

    it('the audit trail records the user who adds a domain', async () => {
      await add('a.example');
      const rows = await started.db.read
        .selectFrom('audit')
        .select(['action', 'actor_kind'])
        .where('account_id', '=', accountId)
        .where('action', 'like', 'blocklist.%')
        .execute();
      assert.deepEqual(rows, [{ action: 'blocklist.added', actor_kind: 'user' }]);
    });
  });

  describe('404', () => {
    it('API keys get 404 or 405 on the console paths', async () => {
      const { production: key } = started.keys;
      for (const path of ['search', 'export']) {
        const { status, json } = await started.request('GET', `/blocklist/${path}?q=a`, { key });
        assert.deepEqual([status, json], [404, { message: 'Domain not found in blocklist' }]);
      }
      for (const path of ['preview', 'import', 'remove']) {
        const { status } = await started.request('POST', `/blocklist/${path}`, { key, body: { text: 'a.example' } });
        assert.equal(status, 405);
      }
    });
  });

  describe('422', () => {
    it('rejects missing and invalid fields by name', async () => {
      for (const [method, path, body, field] of [
        ['GET', 'search', undefined, 'q'],
        ['GET', 'search?q=%20', undefined, 'q'],
        ['GET', `search?q=${'a'.repeat(254)}`, undefined, 'q'],
        ['GET', 'search?q=a&limit=101', undefined, 'limit'],
        ['GET', 'export?cursor=x', undefined, 'cursor'],
        ['POST', 'preview', {}, 'text'],
        ['POST', 'import', { text: 1 }, 'text'],
        ['POST', 'remove', { domains: 'a.example' }, 'domains'],
        ['POST', 'remove', { domains: [1] }, 'domains.0'],
        ['POST', 'remove', { domains: Array(1_001).fill('a.example') }, 'domains'],
      ] as const) {
        const answer = await browser.call<{ errors: object }>(method, `/production/blocklist/${path}`, {
          ...(body === undefined ? {} : { body }),
        });
        assert.deepEqual([answer.status, Object.keys(answer.json.errors ?? {})], [422, [field]], path);
      }
    });
  });
});
