import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { configCases } from '../test/config-cases.ts';
import { temporaryDirectory } from '../test/engines.ts';
import { ConfigError, readConfig } from './config.ts';

const problemsOf = (env: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
};

describe('the configuration', () => {
  it('the configuration has a default for every setting [D243]', () => {
    assert.deepEqual(readConfig({}), {
      port: 8080,
      host: '127.0.0.1',
      dataDir: resolve('var'),
      databaseUrl: null,
      redisUrl: null,
      publicUrl: null,
      allowedHosts: [],
      workers: 1,
      dnsServers: null,
      dnsDeadlineMs: 800,
      dnsMustExist: ['com', 'net', 'org'],
      waitMaxMs: 10_000,
      rdapBootstrapUrl: 'https://data.iana.org/rdap/dns.json',
      outboundAllow: [],
      offline: false,
      plansFile: null,
      trustProxy: null,
      allowKeyInQuery: false,
      ipBlockAfter: 100,
      ipBlockLoopback: false,
      anonymousPerHour: 0,
      hintsPerMinute: 20,
      hintsPerHour: 100,
      accountCpuPercent: 25,
      metricsToken: null,
      drainMs: 1_000,
      firstKeys: [],
      firstKeysFile: null,
      listsRefresh: 'daily',
      learnMailServers: true,
      dnsblZones: [],
      decisionLogDays: 30,
      seenDomainsDays: 30,
      trafficMemoryMb: 64,
      decisionLogAddresses: 'plain',
      decisionLogSecret: null,
      secretKey: null,
      clientKey: null,
      logLevel: 'info',
      accessLog: false,
      mcp: true,
    });
  });

  for (const { variable, field, good, bad } of configCases) {
    it(`the configuration reads ${variable} [D244 D253]`, () => {
      for (const [value, expected] of good) {
        assert.deepEqual(readConfig({ [variable]: value })[field], expected, value);
        assert.deepEqual(readConfig({ [variable]: ` ${value} ` })[field], expected, 'surrounded by spaces');
      }
      for (const value of bad) {
        const problems = problemsOf({ [variable]: value });
        assert.equal(problems.length, 1, `${variable}=${value}`);
        assert.ok(problems[0]?.startsWith(`${variable} must be `), problems[0]);
      }
      assert.deepEqual(readConfig({ [variable]: '' })[field], readConfig({})[field], 'empty counts as unset');
    });
  }

  it("the configuration reads the decision log's secret from a file, and reports a problem without repeating the secret", () => {
    const file = join(temporaryDirectory(), 'secret');
    writeFileSync(file, 'kept-outside-of-it\n');
    assert.equal(readConfig({ DECISION_LOG_SECRET_FILE: file }).decisionLogSecret, 'kept-outside-of-it');
    writeFileSync(file, 'short');
    assert.match(
      problemsOf({ DECISION_LOG_SECRET_FILE: file }).join(),
      /^DECISION_LOG_SECRET_FILE must be a secret of/,
    );
    assert.match(
      problemsOf({ DECISION_LOG_SECRET_FILE: `${file}.none` }).join(),
      /a readable file \(no such file or folder\)$/,
    );
    const both = { DECISION_LOG_SECRET_FILE: file, DECISION_LOG_SECRET: 'kept-outside-of-it' };
    assert.match(problemsOf(both).join(), /set without DECISION_LOG_SECRET/);
  });

  it('every field of the configuration has a variable', () => {
    const fields = new Set(configCases.map(({ field }) => field));
    assert.deepEqual([...fields].sort(), Object.keys(readConfig({})).sort());
  });

  it('one message lists every problem of the configuration', () => {
    const wrong = Object.fromEntries(
      configCases.filter(({ bad }) => bad.length > 0).map(({ variable, bad }) => [variable, bad[0]]),
    );
    const problems = problemsOf(wrong);
    assert.deepEqual(problems.map((problem) => problem.split(' ')[0]).sort(), Object.keys(wrong).sort());
    const { message } = new ConfigError(problems);
    for (const problem of problems) assert.ok(message.includes(problem));
  });

  it('a problem of the configuration never repeats a URL, which may contain a password', () => {
    for (const variable of ['DATABASE_URL', 'REDIS_URL']) {
      assert.doesNotMatch(problemsOf({ [variable]: 'mysql://user:secret@host/x' }).join(), /secret/);
    }
  });
});
