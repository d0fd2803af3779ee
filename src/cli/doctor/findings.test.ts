import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Diagnostics } from '../../app/diagnostics.ts';
import { version } from '../../version.ts';
import { judgeService } from './findings.ts';

const job: Diagnostics['jobs'][number] = {
  name: 'prune-log',
  every_seconds: 60,
  runs: 9,
  failures: 0,
  failures_in_a_row: 0,
  started_at: '2026-11-17T00:00:00.000Z',
  runs_elsewhere: false,
  last_success_at: '2026-11-17T11:59:30.000Z',
  last_duration_ms: 3,
  last_error: null,
};

const healthy: Diagnostics = {
  version,
  pid: 1,
  at: '2026-11-17T12:00:00.000Z',
  started_at: '2026-11-17T00:00:00.000Z',
  offline: false,
  dns: { servers: [{ server: '192.0.2.1', trust: 'trusted' }], questions: 100, failures: 1 },
  lists: {
    built_at: '2026-11-17T00:00:00.000Z',
    expected_recall: { share: 0.99, edition: '2026-11-17T00:00:00.000Z' },
    old_sources: [],
    refresh: 'daily',
    download_problems: [],
  },
  storage: {
    engine: 'sqlite',
    up: true,
    ping_ms: 0.4,
    database_bytes: 10_000_000,
    log_bytes: 0,
    last_backup_at: '2026-11-17T00:00:00.000Z',
    damaged_blocks: {},
  },
  disk: { directory: '/data', free_bytes: 50 * 2 ** 30, total_bytes: 100 * 2 ** 30 },
  unwritten: { decisions: 3 },
  webhooks_late_seconds: 0,
  webhook_secrets_unreadable: 0,
  hooks_failing: [],
  secret_keys_differ: false,
  jobs: [job],
  lookups_mx: { known: 990, unknown: 10 },
  dns_deadline_ms: 800,
  requests: {
    refusals: { key_required: 0 },
    stages: [{ operation: 'decide', stage: 'facts', count: 100, slow: 1 }],
    slowest: [],
  },
};

/** What is wrong with a service that differs from a healthy one. */
const problems = (changed: Partial<Diagnostics>): string[] =>
  judgeService({ processes: [{ ...healthy, ...changed }] })
    .filter(({ level }) => level !== 'ok')
    .map(({ level, area, text }) => `${level} ${area}: ${text}`);

const cases: readonly [string, Partial<Diagnostics>, string[]][] = [
  [
    'clients that are refused for a key in the query or none',
    { requests: { ...healthy.requests, refusals: { key_in_query: 12, key_required: 1, unauthorized: 5 } } },
    [
      'warning Clients: 12 requests with a key in the query refused since the start',
      'warning Clients: 1 request without a key refused since the start',
    ],
  ],
  [
    'lookups with an unknown mx',
    { lookups_mx: { known: 150, unknown: 50 } },
    ['warning Clients: mx was unknown in 50 of 200 lookups (25.0 %)'],
  ],
  ['nothing about mx in few lookups, and offline', { lookups_mx: { known: 0, unknown: 99 } }, []],
  ['nothing in a healthy service', {}, []],
  ['nothing wrong with DNS that is not used', { offline: true, dns: { servers: [], questions: 0, failures: 0 } }, []],
  ['another version', { version: '0.0.1' }, [`warning Version: the service runs 0.0.1, this command is ${version}`]],
  [
    'DNS servers that all lie',
    { dns: { servers: [{ server: '192.0.2.1', trust: 'denying' }], questions: 0, failures: 0 } },
    ['error DNS: no server can be trusted: 192.0.2.1 answer the tests wrongly'],
  ],
  [
    'DNS servers that do not answer',
    { dns: { servers: [{ server: '192.0.2.1', trust: 'unproven' }], questions: 0, failures: 0 } },
    ['error DNS: no server has answered a test: 192.0.2.1'],
  ],
  [
    'one lying DNS server of two',
    {
      dns: {
        servers: [...healthy.dns.servers, { server: '192.0.2.2', trust: 'inventing' }],
        questions: 0,
        failures: 0,
      },
    },
    ['warning DNS: 192.0.2.2 cannot be trusted and is not used'],
  ],
  [
    'failing DNS queries',
    { dns: { ...healthy.dns, questions: 100, failures: 40 } },
    ['warning DNS: 40 of 100 queries failed since the start'],
  ],
  [
    'old lists',
    { lists: { ...healthy.lists, built_at: '2026-09-01T00:00:00.000Z', expected_recall: null } },
    ['warning Lists: built 77 days ago'],
  ],
  [
    'lists that know little of what is new',
    { lists: { ...healthy.lists, expected_recall: { share: 0.58, edition: '2026-07-13T00:00:00.000Z' } } },
    [
      'warning Lists: built 12 h ago; about 58 % of the disposable domains of the last half year are known (newest edition: 2026-07-13)',
    ],
  ],
  [
    'old sources and a failed download',
    {
      lists: {
        ...healthy.lists,
        old_sources: ['freemail'],
        download_problems: [{ source: 'tor', problem: 'status 503' }],
      },
    },
    ['warning Lists: older than 30 days: freemail', 'warning Lists: tor was not refreshed: status 503'],
  ],
  [
    'a disk that fills up',
    { disk: { directory: '/data', free_bytes: 3 * 2 ** 30, total_bytes: 100 * 2 ** 30 } },
    ['warning Disk: 3.0 GB of 100.0 GB free in /data'],
  ],
  [
    'a full disk',
    { disk: { directory: '/data', free_bytes: 1_000, total_bytes: 100 * 2 ** 30 } },
    ['error Disk: 0 MB of 100.0 GB free in /data'],
  ],
  ['a data directory that cannot be read', { disk: null }, ['error Disk: DATA_DIR cannot be read']],
  [
    'a database that does not answer',
    { storage: { ...healthy.storage, engine: 'postgres', up: false, ping_ms: null, last_backup_at: null } },
    ['error Database: PostgreSQL does not answer'],
  ],
  [
    'a slow database with a large log and without a backup',
    { storage: { ...healthy.storage, ping_ms: 150, log_bytes: 2 ** 30, last_backup_at: null } },
    [
      'warning Database: SQLite takes 150 ms for a small query',
      'warning Database: its write-ahead log takes 1.0 GB',
      'warning Backup: there is none',
    ],
  ],
  [
    'damaged blocks',
    { storage: { ...healthy.storage, damaged_blocks: { traffic_blocks: 2 } } },
    ['warning Database: 2 damaged blocks of traffic_blocks skipped since the start'],
  ],
  [
    'an old backup',
    { storage: { ...healthy.storage, last_backup_at: '2026-11-10T00:00:00.000Z' } },
    ['warning Backup: made 7 days ago'],
  ],
  [
    'a job that failed once',
    { jobs: [{ ...job, failures: 1, failures_in_a_row: 1, last_error: 'disk full' }] },
    ['warning Jobs: prune-log failed once in a row (succeeded last on 2026-11-17 11:59:30 UTC): disk full'],
  ],
  [
    'a job that keeps failing',
    { jobs: [{ ...job, failures: 3, failures_in_a_row: 3, last_error: 'disk full', last_success_at: null }] },
    ['error Jobs: prune-log failed 3 times in a row (succeeded never since the start): disk full'],
  ],
  [
    'a job that no longer runs',
    { jobs: [{ ...job, last_success_at: '2026-11-17T11:00:00.000Z' }] },
    ['error Jobs: prune-log should run every 60 s; succeeded last on 2026-11-17 11:00:00 UTC'],
  ],
  [
    'nothing wrong with a job that another process runs',
    { jobs: [{ ...job, last_success_at: null, runs_elsewhere: true }] },
    [],
  ],
  [
    'long queues',
    { unwritten: { decisions: 6_000 }, webhooks_late_seconds: 600 },
    ['warning Queues: 6000 decisions wait to be written', 'warning Queues: webhooks are sent 10 min late'],
  ],
  [
    'webhook secrets of another key',
    { webhook_secrets_unreadable: 2 },
    ['error Webhooks: cannot decrypt the secrets of 2 webhooks, so deliveries fail'],
  ],
  [
    'instances with different keys',
    { secret_keys_differ: true },
    [
      'error Instances: another instance uses this database with a different SECRET_KEY, so webhook deliveries and hook calls fail',
    ],
  ],
  [
    'a hook whose calls are rejected',
    { hooks_failing: [{ id: '01k', name: 'Supabase', rejected: 14, unavailable: 0, last_error: 'wrong signature' }] },
    ['warning Hooks: hook "Supabase" (01k): 14 calls rejected, wrong signature'],
  ],
  ['nothing wrong with webhook secrets that cannot be read', { webhook_secrets_unreadable: null }, []],
  [
    'a slow stage',
    {
      requests: { refusals: {}, stages: [{ operation: 'decide', stage: 'facts', count: 100, slow: 20 }], slowest: [] },
    },
    ['warning Requests: decide: 20 of 100 took over 250 ms in "facts"'],
  ],
];

describe('the findings of signalpost doctor', () => {
  for (const [name, changed, expected] of cases) {
    it(`signalpost doctor finds ${name}`, () => assert.deepEqual(problems(changed), expected));
  }

  it('signalpost doctor says what to do about each problem', () => {
    const findings = cases.flatMap(([, changed]) => judgeService({ processes: [{ ...healthy, ...changed }] }));
    for (const { level, text, fix } of findings) assert.equal(level === 'ok', fix === undefined, text);
  });

  it('signalpost doctor reports a problem that all processes share once, and that no process answered', () => {
    const full = { ...healthy, storage: { ...healthy.storage, last_backup_at: null } };
    const findings = judgeService({ processes: [full, { ...full, pid: 2 }] });
    assert.equal(findings.filter(({ level }) => level !== 'ok').length, 1);
    assert.deepEqual(
      judgeService({ processes: [] }).map(({ level }) => level),
      ['error'],
    );
  });
});
