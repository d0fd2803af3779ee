import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { describeService } from '../../test/engines.ts';
import { eventually } from '../../test/eventually.ts';
import type { InjectedRequest, Response } from '../../test/inject.ts';
import { type StartedApp, startApp, type TestAccount } from '../../test/start-app.ts';
import { tester } from '../../test/tester.ts';
import { errorTable } from '../errors.ts';
import { createBlocklist } from './blocklist.ts';
import { createBlocklistStore } from './blocklist-store.ts';

type Method = InjectedRequest['method'];
interface Entry {
  domain: string;
  unicode_domain?: string;
  created_at: string;
}
interface List {
  data: Entry[];
  links: Record<'first' | 'last' | 'prev' | 'next', string | null>;
  meta: Record<'current_page' | 'from' | 'last_page' | 'per_page' | 'to' | 'total', number> & {
    path: string;
    links: { url: string | null; label: string; active: boolean }[];
  };
}
interface Bulk {
  succeeded: number;
  failed: number;
  success: Entry[];
  errors: { domain: string; error: string }[];
}

const invalid = 'The domain is invalid.';
const alreadyListed = 'The domain has already been blocklisted for this environment.';
const notListed = { message: 'Domain not found in blocklist' };
const startMs = Date.UTC(2026, 10, 15, 0, 20);
const addedAt = '2026-11-15T00:20:00+00:00';
const validation = (field: string, message: string) => ({ message, errors: { [field]: [message] } });

/** One request to each of the five endpoints. */
const calls: readonly [Method, string, unknown?][] = [
  ['GET', '/blocklist'],
  ['POST', '/blocklist', { domain: 'spam.example' }],
  ['POST', '/blocklist/bulk', { domains: ['spam.example'] }],
  ['GET', '/blocklist/spam.example'],
  ['DELETE', '/blocklist/spam.example'],
];

await describeService('the blocklist', (fresh) => {
  let started: StartedApp;
  let account: TestAccount;
  before(async () => {
    started = await startApp({}, { database: await fresh(), nowMs: startMs });
  });
  beforeEach(async () => {
    started.clock.set(startMs);
    account = await started.createAccount();
  });
  after(() => started.close());

  const send = <T = unknown>(method: Method, path: string, body?: unknown, key = account.keys.production) =>
    started.request<T>(method, path, { key, ...(body === undefined ? {} : { body }) });
  const add = (domain: unknown, key?: string) => send<{ data: Entry }>('POST', '/blocklist', { domain }, key);
  const bulk = (domains: unknown, key?: string) => send<Bulk>('POST', '/blocklist/bulk', { domains }, key);
  const listed = async (key?: string): Promise<string[]> =>
    (await send<List>('GET', '/blocklist?per_page=100', undefined, key)).json.data.map((entry) => entry.domain);
  const blocklisted = async (domain: string, key?: string): Promise<boolean> =>
    (await send<{ blocklisted: boolean }>('GET', `/domain/${domain}`, undefined, key)).json.blocklisted;
  const assertAnswer = (answer: Response, status: number, body: unknown) => {
    assert.deepEqual([answer.status, answer.json], [status, body]);
    assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
  };

  describe('every endpoint', () => {
    describe('401', () => {
      it('every blocklist endpoint 401: requires a key', async () => {
        for (const [method, path, body] of calls) {
          const answer = await started.request(method, path, body === undefined ? {} : { body });
          assertAnswer(answer, 401, { message: 'API key is required' });
        }
      });

      it('every blocklist endpoint 401: rejects an unknown key', async () => {
        for (const [method, path, body] of calls) {
          const answer = await send(method, path, body, 'a-key-that-nobody-has');
          assertAnswer(answer, 401, { message: 'Invalid API key' });
        }
      });
    });

    describe('403', () => {
      it('every blocklist endpoint 403: rejects an account without a Pro plan before it validates the request', async () => {
        const { keys } = await started.createAccount({ plan: 'free' });
        for (const [method, path, body] of [...calls, ['POST', '/blocklist', { domain: 5 }] as const]) {
          started.clock.advance(1_000);
          const answer = await send(method, path, body, keys.production);
          assertAnswer(answer, 403, { message: 'This feature requires a Pro account' });
        }
      });
    });

    describe('404', () => {
      it('every blocklist endpoint 404: responds to an unknown path in the format of this API family', async () => {
        for (const path of ['/blocklist/a.example/b', '/blocklist/a/b/c']) {
          assertAnswer(await send('GET', path), 404, { message: 'Not found' });
        }
      });
    });

    describe('405', () => {
      it('every blocklist endpoint 405: names the allowed methods', async () => {
        const cases: readonly [Method, string, string[]][] = [
          ['PUT', '/blocklist', ['GET', 'HEAD', 'POST']],
          ['DELETE', '/blocklist', ['GET', 'HEAD', 'POST']],
          ['POST', '/blocklist/a.example', ['DELETE', 'GET', 'HEAD']],
          ['PATCH', '/blocklist/bulk', ['DELETE', 'GET', 'HEAD', 'POST']],
        ];
        for (const [method, path, allowed] of cases) {
          const answer = await send(method, path);
          assertAnswer(answer, 405, { message: 'Method not allowed' });
          assert.deepEqual(answer.headers.allow?.split(', ').sort(), allowed);
        }
      });
    });

    describe('413', () => {
      it('every blocklist endpoint 413: rejects a body above one megabyte', async () => {
        for (const path of ['/blocklist', '/blocklist/bulk']) {
          assertAnswer(await send('POST', path, ' '.repeat(1_048_577)), 413, {
            message: errorTable.payload_too_large.message,
          });
        }
      });
    });

    describe('429', () => {
      it('every blocklist endpoint 429: rejects requests above the rate limit of the plan', async () => {
        const { keys } = await started.createAccount({ plan: 'pro-200k' });
        for (let index = 0; index < 15; index += 1) await send('GET', '/blocklist', undefined, keys.production);
        for (const [method, path, body] of calls) {
          const answer = await send(method, path, body, keys.production);
          assertAnswer(answer, 429, { message: 'Too many requests' });
          assert.equal(answer.headers['retry-after'], '1');
        }
      });
    });

    it('every blocklist endpoint costs no credits', async () => {
      for (const [method, path, body] of calls) await send(method, path, body);
      const { json } = await send<{ usage: { current: number } }>('GET', '/status');
      assert.equal(json.usage.current, 0);
    });
  });

  describe('POST /blocklist', () => {
    describe('201', () => {
      it('POST /blocklist 201: returns the entry in its normalised form [S11 S14 S75]', async () => {
        assertAnswer(await add('Spam.EXAMPLE'), 201, { data: { domain: 'spam.example', created_at: addedAt } });
      });

      it('POST /blocklist 201: returns the readable form of an internationalised domain only when it differs [S13]', async () => {
        const münchen = { domain: 'xn--mnchen-3ya.example', unicode_domain: 'münchen.example', created_at: addedAt };
        assertAnswer(await add('MÜNCHEN.example'), 201, { data: münchen });
        assertAnswer(await send('GET', '/blocklist/xn--mnchen-3ya.example'), 200, { data: münchen });
        const { json } = await send<List>('GET', '/blocklist');
        assert.deepEqual(json.data, [münchen]);
      });

      it('POST /blocklist 201: drops one trailing dot', async () => {
        assert.equal((await add('spam.example.')).json.data.domain, 'spam.example');
      });

      it('POST /blocklist 201: ignores unknown fields and accepts every JSON content type', async () => {
        const answer = await started.request('POST', '/blocklist', {
          key: account.keys.production,
          headers: { 'content-type': 'application/json; charset=utf-8' },
          body: '{"domain":"spam.example","environment":"staging","account":"x"}',
        });
        assert.equal(answer.status, 201);
        assert.deepEqual(await listed(account.keys.staging), []);
      });
    });

    describe('422', () => {
      it('POST /blocklist 422: rejects a body without a domain [D129]', async () => {
        const body = validation('domain', 'The domain field is required.');
        for (const sent of [{}, { domain: null }, { domain: '' }, { domains: ['a.example'] }]) {
          assertAnswer(await send('POST', '/blocklist', sent), 422, body);
        }
      });

      it('POST /blocklist 422: rejects a body that is not a JSON object like one without a domain [D125]', async () => {
        const body = validation('domain', 'The domain field is required.');
        for (const raw of ['', '{"domain":', 'null', '[]', '"a.example"', '5', '[{"domain":"a.example"}]']) {
          assertAnswer(await send('POST', '/blocklist', raw), 422, body);
        }
        assertAnswer(await started.request('POST', '/blocklist', { key: account.keys.production }), 422, body);
        for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
          const answer = await started.request('POST', '/blocklist', {
            key: account.keys.production,
            headers: { 'content-type': type },
            body: '{"domain":"a.example"}',
          });
          assertAnswer(answer, 422, body);
        }
        assert.deepEqual(await listed(), []);
      });

      it('POST /blocklist 422: rejects a domain that is not a string [D130]', async () => {
        for (const domain of [5, 0, true, false, [], ['a.example'], {}, { a: 1 }]) {
          assertAnswer(await add(domain), 422, validation('domain', 'The domain field must be a string.'));
        }
      });

      it('POST /blocklist 422: rejects an invalid domain, including one with surrounding blanks [S76 S101 D126]', async () => {
        const wrong = [
          ...[' a.example', 'a.example ', '\ta.example', 'a.example\n', ' ', '.', '..', 'a..example', 'a.example..'],
          ...['localhost', 'http://a.example', 'a.example/x', 'a.example:80', 'a_b.example', 'user@a.example'],
          ...['127.0.0.1', '[::1]', '-a.example', 'a-.example', 'a.123', `${'a'.repeat(64)}.example`, '\u0000.example'],
          `${'a.'.repeat(130)}example`,
        ];
        for (const domain of wrong) assertAnswer(await add(domain), 422, validation('domain', invalid));
        assert.deepEqual(await listed(), []);
      });

      it('POST /blocklist 422: rejects a listed domain in any spelling [S77 S102]', async () => {
        await add('münchen.example');
        for (const spelling of [
          'münchen.example',
          'MÜNCHEN.Example',
          'xn--mnchen-3ya.example',
          'mu\u0308nchen.example.',
        ]) {
          assertAnswer(await add(spelling), 422, validation('domain', alreadyListed));
        }
        assert.deepEqual(await listed(), ['xn--mnchen-3ya.example']);
      });
    });
  });

  describe('POST /blocklist/bulk', () => {
    describe('200', () => {
      it('POST /blocklist/bulk 200: adds valid new domains and lists the others as errors, both in request order [S80 S81 S82 D134 D135 D137]', async () => {
        await add('listed.example');
        const answer = await bulk(['b.example', 'nonsense', 'Listed.example', 'A.example', 5, 'ünïcode.example']);
        assertAnswer(answer, 200, {
          succeeded: 3,
          failed: 3,
          success: [
            { domain: 'b.example', created_at: addedAt },
            { domain: 'a.example', created_at: addedAt },
            { domain: 'xn--ncode-cta3g.example', unicode_domain: 'ünïcode.example', created_at: addedAt },
          ],
          errors: [
            { domain: 'nonsense', error: invalid },
            { domain: 'listed.example', error: alreadyListed },
            { domain: '5', error: invalid },
          ],
        });
        assert.deepEqual(await listed(), ['xn--ncode-cta3g.example', 'a.example', 'b.example', 'listed.example']);
      });

      it('POST /blocklist/bulk 200: counts a domain once, even if it is repeated in other spellings [S79 D136]', async () => {
        await add('listed.example');
        const { json } = await bulk([
          'a.example',
          'A.EXAMPLE',
          'a.example.',
          'ä.example',
          'xn--4ca.example',
          'listed.example',
          'LISTED.example',
        ]);
        assert.deepEqual([json.succeeded, json.failed], [2, 1]);
        assert.deepEqual(
          json.success.map((entry) => entry.domain),
          ['a.example', 'xn--4ca.example'],
        );
        assert.deepEqual(json.errors, [{ domain: 'listed.example', error: alreadyListed }]);
      });

      it('POST /blocklist/bulk 200: counts every repetition of an invalid entry', async () => {
        const { json } = await bulk(['nonsense', 'nonsense', ' a.example', '']);
        assert.equal(json.failed, 4);
        assert.deepEqual(
          json.errors.map((error) => error.domain),
          ['nonsense', 'nonsense', ' a.example', ''],
        );
      });

      it('POST /blocklist/bulk 200: converts an invalid entry of another type to a string', async () => {
        const { json } = await bulk([5, null, true, ['a.example'], { domain: 'a.example' }, 1.5]);
        assert.deepEqual([json.succeeded, json.failed], [0, 6]);
        assert.deepEqual(json.errors, [
          { domain: '5', error: invalid },
          { domain: 'null', error: invalid },
          { domain: 'true', error: invalid },
          { domain: '["a.example"]', error: invalid },
          { domain: '{"domain":"a.example"}', error: invalid },
          { domain: '1.5', error: invalid },
        ]);
        assert.deepEqual(await listed(), []);
      });

      it('POST /blocklist/bulk 200: accepts 1,000 domains in one request [S78]', async () => {
        const { json } = await bulk(Array.from({ length: 1_000 }, (_, index) => `d${index}.example`));
        assert.deepEqual([json.succeeded, json.failed], [1_000, 0]);
        const page = await send<List>('GET', '/blocklist?page=40');
        assert.equal(page.json.meta.total, 1_000);
        assert.equal(page.json.data.at(-1)?.domain, 'd0.example');
      });
    });

    describe('422', () => {
      it('POST /blocklist/bulk 422: rejects a body with missing or empty domains [S83 S103 D131]', async () => {
        const body = validation('domains', 'The domains field is required.');
        for (const sent of [{}, { domains: null }, { domains: [] }, { domains: '' }, { domain: 'a.example' }]) {
          assertAnswer(await send('POST', '/blocklist/bulk', sent), 422, body);
        }
        for (const raw of ['', 'nonsense', '["a.example"]', 'null']) {
          assertAnswer(await send('POST', '/blocklist/bulk', raw), 422, body);
        }
      });

      it('POST /blocklist/bulk 422: rejects domains that are not an array [D132]', async () => {
        for (const domains of ['a.example', 5, true, false, 0, { 0: 'a.example' }]) {
          assertAnswer(await bulk(domains), 422, validation('domains', 'The domains field must be an array.'));
        }
      });

      it('POST /blocklist/bulk 422: rejects more than 1,000 domains and adds none of them [D133]', async () => {
        const message = 'The domains field must not have more than 1000 items.';
        const many = Array.from({ length: 1_001 }, (_, index) => `d${index}.example`);
        assertAnswer(await bulk(many), 422, validation('domains', message));
        assertAnswer(await bulk(Array(1_001).fill('same.example')), 422, validation('domains', message));
        assert.deepEqual(await listed(), []);
      });
    });
  });

  describe('GET /blocklist/{domain}', () => {
    describe('200', () => {
      it('GET /blocklist/{domain} 200: returns the entry for every spelling of the domain [S84]', async () => {
        await add('münchen.example');
        for (const spelling of ['m%C3%BCnchen.example', 'XN--MNCHEN-3YA.example', 'xn--mnchen-3ya.example.']) {
          assertAnswer(await send('GET', `/blocklist/${spelling}`), 200, {
            data: { domain: 'xn--mnchen-3ya.example', unicode_domain: 'münchen.example', created_at: addedAt },
          });
        }
      });
    });

    describe('404', () => {
      it('GET /blocklist/{domain} 404: reports an unlisted domain, including a parent or child of a listed one [S85]', async () => {
        await add('b.example.com');
        for (const domain of ['other.example', 'example.com', 'a.b.example.com']) {
          assertAnswer(await send('GET', `/blocklist/${domain}`), 404, notListed);
        }
      });

      it('GET /blocklist/{domain} 404: reports an invalid domain as not listed [D124 D127]', async () => {
        for (const path of [
          'bulk',
          'nonsense',
          '%20',
          '%zz',
          '%2F',
          '127.0.0.1',
          'a'.repeat(400),
          '%00',
          'a%20b.example',
        ]) {
          assertAnswer(await send('GET', `/blocklist/${path}`), 404, notListed);
          assertAnswer(await send('DELETE', `/blocklist/${path}`), 404, notListed);
        }
      });
    });
  });

  describe('DELETE /blocklist/{domain}', () => {
    describe('200', () => {
      it('DELETE /blocklist/{domain} 200: confirms the removal for every spelling of the domain [S86 D139]', async () => {
        for (const spelling of ['m%C3%BCnchen.example', 'xn--mnchen-3ya.example', 'M%C3%9CNCHEN.EXAMPLE.']) {
          await add('münchen.example');
          assertAnswer(await send('DELETE', `/blocklist/${spelling}`), 200, {
            message: 'Domain removed from blocklist',
          });
          assert.deepEqual(await listed(), []);
        }
      });
    });

    describe('404', () => {
      it('DELETE /blocklist/{domain} 404: reports an unlisted domain and removes nothing [S87]', async () => {
        await add('b.example.com');
        for (const domain of ['other.example', 'example.com', 'a.b.example.com']) {
          assertAnswer(await send('DELETE', `/blocklist/${domain}`), 404, notListed);
        }
        assert.deepEqual(await listed(), ['b.example.com']);
      });
    });
  });

  describe('GET /blocklist', () => {
    const page = (query: string) => send<List>('GET', `/blocklist${query}`);
    const path = 'http://localhost:80/blocklist';

    it('GET /blocklist of an empty list has one empty page [D143]', async () => {
      assertAnswer(await page(''), 200, {
        data: [],
        links: { first: `${path}?page=1`, last: `${path}?page=1`, prev: null, next: null },
        meta: {
          current_page: 1,
          from: 0,
          last_page: 1,
          links: [
            { url: null, label: '&laquo; Previous', active: false },
            { url: `${path}?page=1`, label: '1', active: true },
            { url: null, label: 'Next &raquo;', active: false },
          ],
          path,
          per_page: 25,
          to: 0,
          total: 0,
        },
      });
    });

    it('GET /blocklist lists the newest first, and the last added first among entries of the same time [S68 D140]', async () => {
      await add('old.example');
      started.clock.advance(5_000);
      await bulk(['x.example', 'y.example']);
      await add('z.example');
      assert.deepEqual(await listed(), ['z.example', 'y.example', 'x.example', 'old.example']);
    });

    it('GET /blocklist lists a domain that was removed and added again as the newest', async () => {
      await bulk(['x.example', 'y.example', 'z.example']);
      await send('DELETE', '/blocklist/x.example');
      await add('x.example');
      assert.deepEqual(await listed(), ['x.example', 'z.example', 'y.example']);
    });

    it('GET /blocklist lists 25 entries per page, with links to the other pages [S69 S71 S72 S73 S74]', async () => {
      await bulk(Array.from({ length: 60 }, (_, index) => `d${index}.example`));
      const { json } = await page('?page=2');
      assert.deepEqual(
        json.data.map((entry) => entry.domain),
        Array.from({ length: 25 }, (_, index) => `d${34 - index}.example`),
      );
      assert.deepEqual(json.links, {
        first: `${path}?page=1`,
        last: `${path}?page=3`,
        prev: `${path}?page=1`,
        next: `${path}?page=3`,
      });
      const { links, ...meta } = json.meta;
      assert.deepEqual(meta, { current_page: 2, from: 26, last_page: 3, path, per_page: 25, to: 50, total: 60 });
      assert.deepEqual(
        links.map((link) => [link.label, link.url, link.active]),
        [
          ['&laquo; Previous', `${path}?page=1`, false],
          ['1', `${path}?page=1`, false],
          ['2', `${path}?page=2`, true],
          ['3', `${path}?page=3`, false],
          ['Next &raquo;', `${path}?page=3`, false],
        ],
      );
      const last = await page('?page=3');
      assert.deepEqual([last.json.data.length, last.json.meta.from, last.json.meta.to], [10, 51, 60]);
      assert.equal(last.json.links.next, null);
    });

    it('GET /blocklist past the end is empty and links to the last page [D142]', async () => {
      await bulk(Array.from({ length: 30 }, (_, index) => `d${index}.example`));
      for (const asked of ['3', '4', '1000000', '9007199254740991']) {
        const { status, json } = await page(`?page=${asked}`);
        assert.equal(status, 200);
        assert.deepEqual(json.data, []);
        const { current_page, from, to, last_page, total } = json.meta;
        assert.deepEqual([current_page, from, to, last_page, total], [Number(asked), 0, 0, 2, 30]);
        assert.deepEqual([json.links.prev, json.links.next], [`${path}?page=2`, null]);
        assert.ok(json.meta.links.every((link) => !link.active));
      }
    });

    it('GET /blocklist returns the first page if page is not a positive integer [D141]', async () => {
      await add('a.example');
      for (const asked of ['0', '-1', '1.5', 'x', '', '1e3', '+2', 'null', '0x2']) {
        const { json } = await page(`?page=${asked}`);
        assert.deepEqual([json.meta.current_page, json.data.length], [1, 1], asked);
      }
    });

    it('GET /blocklist clamps per_page to 1 to 100 and uses 25 if it is not an integer [S70]', async () => {
      await bulk(Array.from({ length: 120 }, (_, index) => `d${index}.example`));
      const cases: readonly [string, number][] = [
        ['0', 1],
        ['-7', 1],
        ['1', 1],
        ['100', 100],
        ['101', 100],
        ['99999999999999999999', 100],
        ['x', 25],
        ['', 25],
        ['2.5', 25],
        ['1e2', 25],
      ];
      for (const [asked, perPage] of cases) {
        const { json } = await page(`?per_page=${asked}`);
        assert.deepEqual([json.meta.per_page, json.data.length], [perPage, perPage], asked);
      }
    });

    it('GET /blocklist keeps per_page in its links when it was sent [D144]', async () => {
      await bulk(['a.example', 'b.example', 'c.example']);
      const { json } = await page('?page=2&per_page=1&other=x');
      const at = (number: number): string => `${path}?per_page=1&page=${number}`;
      assert.deepEqual(json.links, { first: at(1), last: at(3), prev: at(1), next: at(3) });
      assert.deepEqual(
        json.meta.links.map((link) => link.url),
        [at(1), at(1), at(2), at(3), at(3)],
      );
    });

    it('GET /blocklist lists every entry once when a client follows the next links', async () => {
      const all = Array.from({ length: 700 }, (_, index) => `d${index}.example`);
      await bulk(all);
      const seen: string[] = [];
      for (let next: string | null = '/blocklist?per_page=100'; next !== null; ) {
        const { json }: Response<List> = await send('GET', next);
        seen.push(...json.data.map((entry) => entry.domain));
        next = json.links.next?.slice('http://localhost:80'.length) ?? null;
      }
      assert.deepEqual(seen, all.reverse());
    });

    it('GET /blocklist builds its URLs on the host of the request', async () => {
      const { json } = await started.request<List>('GET', '/blocklist', {
        key: account.keys.production,
        headers: { host: 'signals.example:8443' },
      });
      assert.equal(json.links.first, 'http://signals.example:8443/blocklist?page=1');
      assert.equal(json.meta.path, 'http://signals.example:8443/blocklist');
    });

    it('GET /blocklist responds to HEAD like GET, without the body', async () => {
      const answer = await send('HEAD', '/blocklist');
      assert.deepEqual([answer.status, answer.text], [200, '']);
    });
  });

  describe('the states of a domain', () => {
    const domain = 'spam.example';
    const make = {
      absent: async () => {},
      removed: async () => {
        await add(domain);
        await send('DELETE', `/blocklist/${domain}`);
      },
      present: async () => {
        await add(domain);
      },
    };
    const absent = [
      ['POST', '/blocklist', { domain }, 201, true],
      ['POST', '/blocklist/bulk', { domains: [domain] }, 200, true],
      ['GET', `/blocklist/${domain}`, undefined, 404, false],
      ['DELETE', `/blocklist/${domain}`, undefined, 404, false],
      ['GET', `/domain/${domain}`, undefined, 200, false],
      ['GET', `/email/x@${domain}`, undefined, 200, false],
    ] as const;
    const present = [
      ['POST', '/blocklist', { domain }, 422, true],
      ['POST', '/blocklist/bulk', { domains: [domain] }, 200, true],
      ['GET', `/blocklist/${domain}`, undefined, 200, true],
      ['DELETE', `/blocklist/${domain}`, undefined, 200, false],
      ['GET', `/domain/${domain}`, undefined, 200, true],
      ['GET', `/email/x@${domain}`, undefined, 200, true],
    ] as const;
    const table = { absent, removed: absent, present };

    for (const state of ['absent', 'removed', 'present'] as const) {
      it(`the states of a blocklisted domain follow the table from ${state} [S6 S47 S48 S49 S50 S51 S52 S53]`, async () => {
        for (const [method, path, body, status, listedAfter] of table[state]) {
          account = await started.createAccount();
          await make[state]();
          const answer = await send<{ blocklisted?: boolean; succeeded?: number; failed?: number }>(method, path, body);
          assert.equal(answer.status, status, `${method} ${path}`);
          if (path === '/blocklist/bulk') {
            const { succeeded, failed } = answer.json;
            assert.deepEqual([succeeded, failed], state === 'present' ? [0, 1] : [1, 0]);
          }
          if (answer.json.blocklisted !== undefined) assert.equal(answer.json.blocklisted, listedAfter);
          assert.deepEqual(await listed(), listedAfter ? [domain] : [], `${method} ${path}`);
          assert.equal(await blocklisted(domain), listedAfter, `${method} ${path}`);
        }
      });
    }
  });

  describe('lookups', () => {
    it('lookups of blocklisted domains see a change of the same instance immediately, even with the list in memory [S12]', async () => {
      for (let round = 0; round < 3; round += 1) {
        assert.equal(await blocklisted('spam.example'), false);
        await add('spam.example');
        assert.equal(await blocklisted('spam.example'), true);
        await send('DELETE', '/blocklist/spam.example');
        assert.equal(await blocklisted('spam.example'), false);
        await bulk(['spam.example']);
        assert.equal(await blocklisted('Spam.Example'), true);
        await send('DELETE', '/blocklist/spam.example');
      }
    });

    it('lookups of blocklisted domains match an entry exactly, not its parent or children [S36]', async () => {
      await add('b.example.com');
      const asked = ['b.example.com', 'example.com', 'a.b.example.com', 'c.example.com'];
      const answers = await Promise.all(asked.map((domain) => blocklisted(domain)));
      assert.deepEqual(answers, [true, false, false, false]);
    });

    it('lookups of blocklisted domains see the changes of another process within a second [D149]', async () => {
      const owner = { accountId: account.id, environment: 'production', by: tester } as const;
      const elsewhere = createBlocklist(createBlocklistStore(started.db), { changedHere: () => {} }, started.clock.now);
      assert.equal(await blocklisted('spam.example'), false);
      const comesToBe = (domain: string, expected: boolean) =>
        eventually(async () => assert.equal(await blocklisted(domain), expected, domain));
      await elsewhere.addMany(owner, ['spam.example', 'other.example'], 10);
      await comesToBe('spam.example', true);
      await elsewhere.remove(owner, 'spam.example');
      await comesToBe('other.example', true);
      await comesToBe('spam.example', false);
      await add('spam.example');
      assert.equal(await blocklisted('spam.example'), true);
    });
  });

  describe('two accounts with two environments each', () => {
    it('two accounts with two environments each have four independent lists [S4 S10 D39]', async () => {
      const other = await started.createAccount();
      const keys = [account.keys.production, account.keys.development, other.keys.production, other.keys.development];
      for (const owner of keys) {
        assert.equal((await add('spam.example', owner)).status, 201);
        for (const key of keys) assert.deepEqual(await listed(key), key === owner ? ['spam.example'] : []);
        for (const key of keys) assert.equal(await blocklisted('spam.example', key), key === owner);
        assert.equal((await send('DELETE', '/blocklist/spam.example', undefined, owner)).status, 200);
      }
    });

    it("the blocklist of one account responds to another account's domain byte for byte as to an unlisted one", async () => {
      const other = await started.createAccount();
      await add('spam.example', other.keys.production);
      await add('spam.example', account.keys.development);
      for (const method of ['GET', 'DELETE'] as const) {
        const foreign = await send(method, '/blocklist/spam.example');
        const missing = await send(method, '/blocklist/nobody.example');
        assert.equal(foreign.text, missing.text);
        assert.equal(foreign.status, missing.status);
        assert.deepEqual(Object.keys(foreign.headers), Object.keys(missing.headers));
      }
      assert.deepEqual(await listed(other.keys.production), ['spam.example']);
      assert.deepEqual(await listed(account.keys.development), ['spam.example']);
    });
  });
});

describe('the blocklist behind PUBLIC_URL', () => {
  it('the blocklist behind PUBLIC_URL builds its URLs on it and ignores the Host header', async () => {
    const started = await startApp({ PUBLIC_URL: 'https://signals.example/api/' });
    const { json } = await started.request<List>('GET', '/blocklist', {
      key: started.keys.production,
      headers: { host: 'elsewhere.example' },
    });
    assert.equal(json.links.last, 'https://signals.example/api/blocklist?page=1');
    assert.equal(json.meta.path, 'https://signals.example/api/blocklist');
    await started.close();
  });
});
