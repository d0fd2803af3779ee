import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { Config } from '../src/config.ts';

/** Every variable with its configuration field, valid values with their results, and invalid values. */
export const configCases: readonly {
  variable: string;
  field: keyof Config;
  good: readonly (readonly [string, unknown])[];
  bad: readonly string[];
}[] = [
  {
    variable: 'PORT',
    field: 'port',
    good: [
      ['0', 0],
      ['65535', 65_535],
    ],
    bad: ['65536', '-1', '80a', '8.5', '0x50'],
  },
  {
    variable: 'HOST',
    field: 'host',
    good: [
      ['0.0.0.0', '0.0.0.0'],
      ['::', '::'],
      ['api.local', 'api.local'],
    ],
    bad: ['a b', 'http://x', '[::1]:80'],
  },
  {
    variable: 'DATA_DIR',
    field: 'dataDir',
    good: [
      ['/data', '/data'],
      ['data', resolve('data')],
    ],
    bad: [],
  },
  {
    variable: 'DATABASE_URL',
    field: 'databaseUrl',
    good: [
      ['postgres://u:p@h:5432/d', 'postgres://u:p@h:5432/d'],
      ['postgresql://h/d', 'postgresql://h/d'],
    ],
    bad: ['mysql://h/d', 'h/d', 'file.db'],
  },
  {
    variable: 'REDIS_URL',
    field: 'redisUrl',
    good: [
      ['redis://h:6379', 'redis://h:6379'],
      ['rediss://h', 'rediss://h'],
    ],
    bad: ['h:6379', 'http://h'],
  },
  {
    variable: 'ALLOWED_HOSTS',
    field: 'allowedHosts',
    good: [
      ['signals.lan, 10.0.0.5,::1', ['signals.lan', '10.0.0.5', '::1']],
      [' ', []],
    ],
    bad: ['signals.lan:8080', 'https://signals.lan', 'a b', '*', '[::1]'],
  },
  {
    variable: 'PUBLIC_URL',
    field: 'publicUrl',
    good: [
      ['https://a.example/', 'https://a.example'],
      ['http://a.example/b//', 'http://a.example/b'],
    ],
    bad: ['a.example', 'ftp://a.example'],
  },
  {
    variable: 'WORKERS',
    field: 'workers',
    good: [
      ['4', 4],
      ['auto', availableParallelism()],
    ],
    bad: ['0', 'many', '257'],
  },
  {
    variable: 'DNS_SERVERS',
    field: 'dnsServers',
    good: [
      ['1.1.1.1, 9.9.9.9:5353', ['1.1.1.1', '9.9.9.9:5353']],
      ['[::1]:53,::1', ['[::1]:53', '::1']],
      [',', null],
    ],
    bad: ['dns.example', '1.1.1.1:0', '1.1.1.1:70000', '::1:53:x'],
  },
  {
    variable: 'DNS_DEADLINE_MS',
    field: 'dnsDeadlineMs',
    good: [
      ['50', 50],
      ['60000', 60_000],
    ],
    bad: ['49', '60001', '3s'],
  },
  {
    variable: 'DNS_PROBE',
    field: 'dnsMustExist',
    good: [
      ['on', ['com', 'net', 'org']],
      ['off', []],
      ['corp.example, Intern', ['corp.example', 'intern']],
    ],
    bad: ['true', 'no', '0', 'corp.example,off', 'a b', 'http://x'],
  },
  {
    variable: 'WAIT_MAX_MS',
    field: 'waitMaxMs',
    good: [
      ['0', 0],
      ['120000', 120_000],
    ],
    bad: ['120001', 'none'],
  },
  {
    variable: 'RDAP_BOOTSTRAP_URL',
    field: 'rdapBootstrapUrl',
    good: [['http://127.0.0.1:1/dns.json', 'http://127.0.0.1:1/dns.json']],
    bad: ['dns.json', 'file:///dns.json'],
  },
  {
    variable: 'OUTBOUND_ALLOW',
    field: 'outboundAllow',
    good: [['http://127.0.0.1:5380,whois://127.0.0.1:43', ['http://127.0.0.1:5380', 'whois://127.0.0.1:43']]],
    bad: ['127.0.0.1', 'http://a/path', 'ftp://a'],
  },
  {
    variable: 'OFFLINE',
    field: 'offline',
    good: [
      ['true', true],
      ['1', true],
      ['TRUE', true],
      ['false', false],
      ['0', false],
    ],
    bad: ['yes', 'on'],
  },
  { variable: 'PLANS_FILE', field: 'plansFile', good: [['plans.json', resolve('plans.json')]], bad: [] },
  {
    variable: 'TRUST_PROXY',
    field: 'trustProxy',
    good: [
      ['2', 2],
      ['0', 0],
      ['10.0.0.0/8, ::1,loopback', ['10.0.0.0/8', '::1', 'loopback']],
    ],
    bad: ['yes', '10.0.0.0/33', '::1/129', '100'],
  },
  { variable: 'ALLOW_KEY_IN_QUERY', field: 'allowKeyInQuery', good: [['true', true]], bad: ['maybe'] },
  {
    variable: 'IP_BLOCK_AFTER',
    field: 'ipBlockAfter',
    good: [
      ['0', 0],
      ['5', 5],
    ],
    bad: ['-1', 'never'],
  },
  { variable: 'IP_BLOCK_LOOPBACK', field: 'ipBlockLoopback', good: [['true', true]], bad: ['2'] },
  { variable: 'HINTS_PER_MINUTE', field: 'hintsPerMinute', good: [['30', 30]], bad: ['0', '100001', 'many'] },
  { variable: 'HINTS_PER_HOUR', field: 'hintsPerHour', good: [['30', 30]], bad: ['0', '100001', 'many'] },
  { variable: 'ANONYMOUS_PER_HOUR', field: 'anonymousPerHour', good: [['30', 30]], bad: ['-1', '1000001', 'many'] },
  { variable: 'ACCOUNT_CPU_PERCENT', field: 'accountCpuPercent', good: [['50', 50]], bad: ['-1', '101', 'half'] },
  { variable: 'METRICS_TOKEN', field: 'metricsToken', good: [['a-token', 'a-token']], bad: [] },
  { variable: 'FIRST_KEYS_FILE', field: 'firstKeysFile', good: [['/run/first-keys', '/run/first-keys']], bad: [] },
  {
    variable: 'FIRST_KEYS',
    field: 'firstKeys',
    good: [
      [
        'production:0123456789abcdef, staging:fedcba9876543210',
        [
          { environment: 'production', key: '0123456789abcdef' },
          { environment: 'staging', key: 'fedcba9876543210' },
        ],
      ],
    ],
    bad: [
      '0123456789abcdef',
      'test:0123456789abcdef',
      'production:short',
      '/no/such/file',
      'staging:0123456789abcdef,staging:fedcba9876543210',
      'staging:0123456789abcdef,production:0123456789abcdef',
    ],
  },
  { variable: 'SIGNALPOST_KEY', field: 'clientKey', good: [['sp_a-key', 'sp_a-key']], bad: [] },
  {
    variable: 'DRAIN_MS',
    field: 'drainMs',
    good: [
      ['0', 0],
      ['5000', 5_000],
    ],
    bad: ['-1', '60001', '1s'],
  },
  {
    variable: 'MCP',
    field: 'mcp',
    good: [
      ['on', true],
      ['off', false],
    ],
    bad: ['true'],
  },
  { variable: 'ACCESS_LOG', field: 'accessLog', good: [['true', true]], bad: ['all'] },
  {
    variable: 'LEARN_MAIL_SERVERS',
    field: 'learnMailServers',
    good: [
      ['on', true],
      ['off', false],
    ],
    bad: ['yes'],
  },
  {
    variable: 'LISTS_REFRESH',
    field: 'listsRefresh',
    good: [
      ['daily', 'daily'],
      ['off', 'off'],
    ],
    bad: ['hourly'],
  },
  {
    variable: 'DNSBL_ZONES',
    field: 'dnsblZones',
    good: [['dbl.example.org,b.example', ['dbl.example.org', 'b.example']]],
    bad: ['example', 'a..b', 'http://a.b'],
  },
  {
    variable: 'DECISION_LOG_DAYS',
    field: 'decisionLogDays',
    good: [
      ['0', 0],
      ['3650', 3_650],
    ],
    bad: ['3651', 'ever'],
  },
  {
    variable: 'TRAFFIC_MEMORY_MB',
    field: 'trafficMemoryMb',
    good: [
      ['1', 1],
      ['65536', 65_536],
    ],
    bad: ['0', '65537'],
  },
  {
    variable: 'SEEN_DOMAINS_DAYS',
    field: 'seenDomainsDays',
    good: [
      ['0', 0],
      ['366', 366],
    ],
    bad: ['367', '-1'],
  },
  {
    variable: 'DECISION_LOG_ADDRESSES',
    field: 'decisionLogAddresses',
    good: [['hashed', 'hashed']],
    bad: ['encrypted'],
  },
  {
    variable: 'DECISION_LOG_SECRET',
    field: 'decisionLogSecret',
    good: [['kept-outside-of-it', 'kept-outside-of-it']],
    bad: ['too short'],
  },
  {
    variable: 'SECRET_KEY',
    field: 'secretKey',
    good: [['kept-outside-of-it', 'kept-outside-of-it']],
    bad: ['too short'],
  },
  {
    variable: 'LOG_LEVEL',
    field: 'logLevel',
    good: [
      ['debug', 'debug'],
      ['silent', 'silent'],
    ],
    bad: ['loud'],
  },
];
