import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { testLists } from '../../test/lists/test-lists.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import { unknownFacts } from '../../test/unknown-facts.ts';
import { AppError } from '../errors.ts';
import type { Facts, FactsWanted } from './facts.ts';
import { createLookup, type Lookup } from './lookup.ts';
import { lookupsEndpoints } from './lookups-endpoints.ts';

const nothing = unknownFacts('pending');
const waitMaxMs = 1_234;

describe('what a lookup asks of the network', () => {
  const asked: FactsWanted[] = [];
  const facts: Facts = {
    rank: ({ ascii }) => (ascii === 'ranked.com' ? 7 : null),
    factsOf(_domain, wanted) {
      asked.push(wanted);
      return nothing;
    },
  };
  let server: TestServer;
  let pro: string;
  let free: string;
  before(async () => {
    const blocklist = { has: () => false };
    const lookup = createLookup({ lists: testLists({}), facts, blocklist, now: () => 0, waitMaxMs });
    server = await startTestServer({ endpoints: lookupsEndpoints(lookup, () => {}, { known: 0, unknown: 0 }) });
    pro = await server.createKey();
    free = await server.createKey({ pro: false });
  });
  after(() => server.close());
  afterEach(() => {
    asked.length = 0;
  });
  const get = async (path: string, key = pro) => {
    const { status, json } = await server.request<Record<string, unknown>>('GET', path, { key });
    assert.equal(status, 200, path);
    return json;
  };

  const flags: readonly (readonly [string, boolean])[] = [
    ['', true],
    ['?include_mx=true', true],
    ['?include_mx=1', true],
    ['?include_mx=TRUE', true],
    ['?include_mx=false', false],
    ['?include_mx=False', false],
    ['?include_mx=0', false],
    ['?include_mx=', true],
    ['?include_mx=no', true],
    ['?include_mx=2', true],
    ['?include_mx=%20false', true],
    ['?include_mx=false&include_mx=false', true],
    ['?INCLUDE_MX=false', true],
    ['?other=1&include_mx=false', false],
  ];
  for (const path of ['/domain/example.com', '/email/a@example.com']) {
    it(`what a lookup asks of the network ${path}: MX unless include_mx is false or 0, in any case; anything else means the default [S25 S58 D77]`, async () => {
      for (const [query, mx] of flags) {
        const json = await get(path + query);
        assert.deepEqual(['mx' in json, 'mx_records' in json, 'mx_providers' in json], [mx, mx, true], query);
        assert.equal(asked.pop()?.mx, mx, query);
      }
    });
  }

  const waits: readonly (readonly [string, boolean])[] = [
    ['', false],
    ['wait=', false],
    ['wait=domain_age_in_days', true],
    ['wait=domain_authority', true],
    ['wait=domain_authority,domain_age_in_days', true],
    ['wait=,%20domain_age_in_days%20,', true],
    ['wait=domain_authority,domain_authority', true],
    ['wait=spf,nonsense,domain_authority', true],
    ['wait=spf,nonsense', false],
    ['wait=DOMAIN_AUTHORITY', false],
    ['wait=domain_age', false],
    ['wait=spf&wait=domain_authority', true],
  ];
  for (const path of ['/domain/example.com', '/email/a@example.com']) {
    it(`what a lookup asks of the network ${path}: held as long as the operator allows for the names that wait knows, others ignored [S59 S61 D76]`, async () => {
      for (const [query, held] of waits) {
        await get(`${path}?${query}`);
        assert.equal(asked.pop()?.waitForRegistrationMs, held ? waitMaxMs : 0, query);
      }
    });
  }

  it('what a lookup asks of the network is not held on a plan that is not Pro [S60 D74]', async () => {
    await get('/domain/example.com?wait=domain_age_in_days,domain_authority', free);
    assert.equal(asked.pop()?.waitForRegistrationMs, 0);
  });

  it('what a lookup asks of the network is not held for the authority of a ranked domain, which is known without a date', async () => {
    const json = await get('/domain/ranked.com?wait=domain_authority');
    assert.equal(asked.pop()?.waitForRegistrationMs, 0);
    assert.equal(json.domain_age_in_days, null);
    await get('/domain/ranked.com?wait=domain_age_in_days');
    assert.equal(asked.pop()?.waitForRegistrationMs, waitMaxMs);
  });

  it('what a lookup asks of the network is nothing when the value is malformed', async () => {
    for (const path of ['/domain/nope', '/email/nope', '/domain/%zz']) {
      assert.equal((await server.request('GET', path, { key: pro })).status, 400, path);
    }
    assert.deepEqual(asked, []);
  });
});

describe('a lookup that cannot be answered', () => {
  const outcomes: readonly (readonly [string, Lookup, number, string])[] = [
    [
      'fails',
      () => {
        throw new Error('secret');
      },
      500,
      'Server error',
    ],
    ['fails later', () => Promise.reject(new Error('secret')), 500, 'Server error'],
    ['has no storage', () => Promise.reject(new AppError('service_unavailable')), 503, 'Service unavailable'],
  ];
  for (const [what, lookup, status, error] of outcomes) {
    it(`a lookup that cannot be answered because it ${what}: ${status}, and nothing is charged [D71]`, async () => {
      const server = await startTestServer({ endpoints: lookupsEndpoints(lookup, () => {}, { known: 0, unknown: 0 }) });
      // One credit: were a failure charged, the second request would be refused for it.
      const key = await server.createKey({ credits: 1 });
      for (const path of ['/domain/example.com', '/email/a@example.com', '/domain/example.com']) {
        const answer = await server.request('GET', path, { key });
        assert.deepEqual([answer.status, answer.json], [status, { status, error }]);
        assert.equal(answer.headers['retry-after'], undefined);
      }
      await server.close();
    });
  }
});
