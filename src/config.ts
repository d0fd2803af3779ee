import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { reasonFor } from './error-message.ts';

/** A key that the operator chose for an environment of the first account. */
export interface FirstKey {
  readonly environment: 'production' | 'staging' | 'development';
  readonly key: string;
}

/** Every setting of the service, validated. Created once and passed to `createApp`. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly redisUrl: string | null;
  readonly publicUrl: string | null;
  /** Names and addresses, without ports, under which pages and metrics are served besides `publicUrl` and loopback. */
  readonly allowedHosts: readonly string[];
  readonly workers: number;
  readonly dnsServers: readonly string[] | null;
  readonly dnsDeadlineMs: number;
  /** Names that every honest DNS server resolves; empty when servers are not probed. */
  readonly dnsMustExist: readonly string[];
  readonly waitMaxMs: number;
  readonly rdapBootstrapUrl: string;
  readonly outboundAllow: readonly string[];
  readonly offline: boolean;
  readonly plansFile: string | null;
  /** How many proxies, or which addresses, are trusted in `X-Forwarded-For`. */
  readonly trustProxy: number | readonly string[] | null;
  readonly allowKeyInQuery: boolean;
  readonly ipBlockAfter: number;
  readonly ipBlockLoopback: boolean;
  /** Lookups per hour without a key for each client address; 0 rejects them. */
  readonly anonymousPerHour: number;
  /** Hints for web pages that each client address may request. */
  readonly hintsPerMinute: number;
  readonly hintsPerHour: number;
  /** The part of a processor that an account may use continuously for anything but lookups and decisions; 0: any. */
  readonly accountCpuPercent: number;
  readonly metricsToken: string | null;
  /** How long a stopping process still serves requests. */
  readonly drainMs: number;
  readonly listsRefresh: 'off' | 'daily';
  /** Whether mail servers of disposable services are learnt from the domains that point there. */
  readonly learnMailServers: boolean;
  readonly dnsblZones: readonly string[];
  readonly decisionLogDays: number;
  /** Retention of the domains an environment saw; 0: none are recorded, and no environment is notified of one flagged later. */
  readonly seenDomainsDays: number;
  /** The memory for traffic counts, in each process. */
  readonly trafficMemoryMb: number;
  readonly decisionLogAddresses: 'plain' | 'hashed';
  /** The key of address hashes; null: a secret in the database. */
  readonly decisionLogSecret: string | null;
  /** The key that encrypts stored secrets; null: one that is generated in the data directory. */
  readonly secretKey: string | null;
  /** Keys of the first account, in place of generated ones. */
  readonly firstKeys: readonly FirstKey[];
  /** The file for the secrets of the first start; null prints them. */
  readonly firstKeysFile: string | null;
  /** The API key with which `bulk --url` calls another server. */
  readonly clientKey: string | null;
  readonly logLevel: LogLevel;
  readonly accessLog: boolean;
  /** Whether `/mcp` serves agents. */
  readonly mcp: boolean;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

/** The environment variables are invalid; `problems` lists everything that is wrong. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The configuration is wrong:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Reads the settings from environment variables. Throws one `ConfigError` that lists every problem. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  const read = readers(env, problems);
  const config: Config = {
    port: read.integer('PORT', 8080, 0, 65_535),
    host: read.host('HOST', '127.0.0.1'),
    dataDir: resolve(read.text('DATA_DIR') ?? './var'),
    databaseUrl: read.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    redisUrl: read.url('REDIS_URL', ['redis:', 'rediss:']),
    publicUrl: read.url('PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, '') ?? null,
    allowedHosts: read.list('ALLOWED_HOSTS', isHostOrAddress, 'a host name or IP address without port') ?? [],
    workers: read.text('WORKERS') === 'auto' ? availableParallelism() : read.integer('WORKERS', 1, 1, 256),
    dnsServers: read.list('DNS_SERVERS', isServerAddress, 'an IP address, or ip:port ([v6]:port)'),
    dnsDeadlineMs: read.integer('DNS_DEADLINE_MS', 800, 50, 60_000),
    dnsMustExist: read.probe('DNS_PROBE'),
    waitMaxMs: read.integer('WAIT_MAX_MS', 10_000, 0, 120_000),
    rdapBootstrapUrl: read.url('RDAP_BOOTSTRAP_URL', ['https:', 'http:']) ?? 'https://data.iana.org/rdap/dns.json',
    outboundAllow: read.list('OUTBOUND_ALLOW', isOrigin, 'an origin such as http://127.0.0.1:5380') ?? [],
    offline: read.flag('OFFLINE'),
    plansFile: read.text('PLANS_FILE') === null ? null : resolve(read.text('PLANS_FILE') ?? ''),
    trustProxy: read.trustProxy('TRUST_PROXY'),
    allowKeyInQuery: read.flag('ALLOW_KEY_IN_QUERY'),
    ipBlockAfter: read.integer('IP_BLOCK_AFTER', 100, 0, 100_000),
    ipBlockLoopback: read.flag('IP_BLOCK_LOOPBACK'),
    anonymousPerHour: read.integer('ANONYMOUS_PER_HOUR', 0, 0, 1_000_000),
    hintsPerMinute: read.integer('HINTS_PER_MINUTE', 20, 1, 100_000),
    hintsPerHour: read.integer('HINTS_PER_HOUR', 100, 1, 100_000),
    accountCpuPercent: read.integer('ACCOUNT_CPU_PERCENT', 25, 0, 100),
    metricsToken: read.text('METRICS_TOKEN'),
    drainMs: read.integer('DRAIN_MS', 1_000, 0, 60_000),
    listsRefresh: read.choice('LISTS_REFRESH', ['off', 'daily'], 'daily'),
    learnMailServers: read.choice('LEARN_MAIL_SERVERS', ['on', 'off'], 'on') === 'on',
    dnsblZones: read.list('DNSBL_ZONES', isZone, 'a domain name such as dbl.example.org') ?? [],
    decisionLogDays: read.integer('DECISION_LOG_DAYS', 30, 0, 3_650),
    seenDomainsDays: read.integer('SEEN_DOMAINS_DAYS', 30, 0, 366),
    trafficMemoryMb: read.integer('TRAFFIC_MEMORY_MB', 64, 1, 65_536),
    decisionLogAddresses: read.choice('DECISION_LOG_ADDRESSES', ['plain', 'hashed'], 'plain'),
    decisionLogSecret: read.secret('DECISION_LOG_SECRET'),
    secretKey: read.secret('SECRET_KEY'),
    firstKeys: read.firstKeys('FIRST_KEYS'),
    firstKeysFile: read.text('FIRST_KEYS_FILE') === null ? null : resolve(read.text('FIRST_KEYS_FILE') ?? ''),
    clientKey: read.text('SIGNALPOST_KEY'),
    logLevel: read.choice('LOG_LEVEL', logLevels, 'info'),
    accessLog: read.flag('ACCESS_LOG'),
    mcp: read.choice('MCP', ['on', 'off'], 'on') === 'on',
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

const minSecretLength = 16;

/** Each environment and each key at most once, with keys of 16 to 128 characters; null for anything else. */
function firstKeysIn(items: readonly string[]): FirstKey[] | null {
  const keys = items.flatMap((item) => {
    const [, environment, key = ''] = /^(production|staging|development):([!-~]{16,128})$/.exec(item) ?? [];
    return environment === undefined ? [] : [{ environment: environment as FirstKey['environment'], key }];
  });
  const environments = new Set(keys.map(({ environment }) => environment));
  const texts = new Set(keys.map(({ key }) => key));
  return environments.size === items.length && texts.size === items.length ? keys : null;
}

function readers(env: NodeJS.ProcessEnv, problems: string[]) {
  const text = (name: string): string | null => {
    const value = env[name]?.trim();
    return value === undefined || value === '' ? null : value;
  };
  const wrong = <T>(name: string, expected: string, fallback: T): T => {
    problems.push(`${name} must be ${expected}`);
    return fallback;
  };
  const list = (name: string, valid: (item: string) => boolean, expected: string): string[] | null => {
    const items = text(name)
      ?.split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
    if (items === undefined || items.length === 0) return null;
    const bad = items.filter((item) => !valid(item));
    if (bad.length > 0)
      return wrong(name, `a comma-separated list, each item ${expected}; wrong: ${bad.join(', ')}`, null);
    return items;
  };
  const checkedSecret = (name: string, value: string | null): string | null =>
    value === null || value.length >= minSecretLength
      ? value
      : wrong(name, `a secret of at least ${minSecretLength} characters`, null);
  return {
    text,
    list,
    integer(name: string, fallback: number, min: number, max: number): number {
      const value = text(name);
      if (value === null) return fallback;
      const parsed = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
      if (parsed >= min && parsed <= max) return parsed;
      return wrong(name, `a whole number from ${min} to ${max}, not "${value}"`, fallback);
    },
    flag(name: string): boolean {
      const value = text(name)?.toLowerCase();
      if (value === undefined || value === 'false' || value === '0') return false;
      if (value === 'true' || value === '1') return true;
      return wrong(name, `true or false, not "${value}"`, false);
    },
    choice<const T extends string>(name: string, choices: readonly T[], fallback: NoInfer<T>): T {
      const value = text(name);
      if (value === null) return fallback;
      return (
        choices.find((choice) => choice === value) ??
        wrong(name, `one of ${choices.join(', ')}, not "${value}"`, fallback)
      );
    },
    host(name: string, fallback: string): string {
      const value = text(name) ?? fallback;
      if (isIP(value) > 0 || value === 'localhost' || /^[a-z0-9.-]+$/i.test(value)) return value;
      return wrong(name, `an IP address or host name, not "${value}"`, fallback);
    },
    /** From the variable, or from the file that NAME_FILE names; the problem never repeats its value. */
    secret(name: string): string | null {
      const fileName = text(`${name}_FILE`);
      if (fileName === null) return checkedSecret(name, text(name));
      if (text(name) !== null) return wrong(`${name}_FILE`, `set without ${name}, or the other way round`, null);
      try {
        return checkedSecret(`${name}_FILE`, readFileSync(fileName, 'utf8').trim());
      } catch (error) {
        return wrong(`${name}_FILE`, `a readable file (${reasonFor((error as NodeJS.ErrnoException).code)})`, null);
      }
    },
    /** `production:KEY,staging:KEY`, or the path of a file with one such item per line; the problem never repeats a key. */
    firstKeys(name: string): readonly FirstKey[] {
      const value = text(name);
      if (value === null) return [];
      const expected = 'production:KEY,staging:KEY,development:KEY or the path of a readable file with such lines';
      try {
        const items = (value.startsWith('/') ? readFileSync(value, 'utf8') : value).split(/[,\n]/);
        return firstKeysIn(items.map((item) => item.trim()).filter((item) => item !== '')) ?? wrong(name, expected, []);
      } catch (error) {
        return wrong(name, `${expected} (${reasonFor((error as NodeJS.ErrnoException).code)})`, []);
      }
    },
    /** A URL may contain a password, so the problem does not repeat its value. */
    url(name: string, protocols: readonly string[]): string | null {
      const value = text(name);
      if (value === null) return null;
      if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
      return wrong(name, `a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`, null);
    },
    probe(name: string): readonly string[] {
      const value = text(name)?.toLowerCase() ?? 'on';
      if (value === 'on' || value === 'off') return value === 'on' ? ['com', 'net', 'org'] : [];
      const expected = 'a name that exists, such as corp.example; or the whole value on or off';
      return list(name, isExistingName, expected)?.map((item) => item.toLowerCase()) ?? [];
    },
    trustProxy(name: string): number | readonly string[] | null {
      const value = text(name);
      if (value === null) return null;
      if (/^\d{1,2}$/.test(value)) return Number(value);
      return list(name, isNetwork, 'an IP address or network, or the whole value a count of proxies');
    },
  };
}

function isServerAddress(item: string): boolean {
  if (isIP(item) > 0) return true;
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(item);
  if (match === null) return false;
  return isIP(match[1] ?? match[2] ?? '') > 0 && Number(match[3]) > 0 && Number(match[3]) <= 65_535;
}

function isHostOrAddress(item: string): boolean {
  return isIP(item) > 0 || /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(item);
}

function isOrigin(item: string): boolean {
  if (!URL.canParse(item)) return false;
  const url = new URL(item);
  return ['http:', 'https:', 'whois:'].includes(url.protocol) && url.host !== '' && ['', '/'].includes(url.pathname);
}

function isZone(item: string): boolean {
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/i.test(item);
}

/** Switch words such as `yes` are not names. */
function isExistingName(item: string): boolean {
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(item) && !/^(?:true|false|yes|no|none|on|off|\d+)$/i.test(item);
}

function isNetwork(item: string): boolean {
  const [address, bits] = item.split('/');
  const version = isIP(address ?? '');
  if (['loopback', 'linklocal', 'uniquelocal'].includes(item)) return true;
  return version > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)));
}
