import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startDnsServer } from '../../test/dns-server.ts';
import { temporaryDirectory } from '../../test/engines.ts';
import { jsonInProcess, runInProcess } from '../../test/run-in-process.ts';
import { startApp } from '../../test/start-app.ts';

const env = { DATA_DIR: temporaryDirectory() };

describe('check', () => {
  it('signalpost check answers as the lookups of a Pro plan do, beside a running server [D238]', async () => {
    const app = await startApp();
    try {
      const [domain, email] = await Promise.all([
        app.request<Record<string, unknown>>('GET', '/domain/x.mailinator.com', { key: app.keys.production }),
        app.request<Record<string, unknown>>('GET', '/email/info@gmial.com', { key: app.keys.production }),
      ]);
      const { blocklisted: _, ...domainBody } = domain.json;
      const { blocklisted: __, ...emailBody } = email.json;
      const checked = await jsonInProcess(['check', 'x.mailinator.com', 'info@gmial.com', '--offline'], {
        DATA_DIR: app.config.dataDir,
      });
      assert.deepEqual(checked, [domainBody, emailBody]);
    } finally {
      await app.close();
    }
  });

  it('signalpost check has the same authority online and offline, also after a denial without an SOA', async () => {
    const mail = { MX: [[10, 'mail.mailinator.com']], TXT: ['v=spf1 mx -all'], SOA: null } as const;
    const dns = await startDnsServer({ 'mailinator.com': mail, 'mail.mailinator.com': { A: ['192.0.2.1'] } });
    try {
      const settings = { DATA_DIR: temporaryDirectory(), DNS_SERVERS: dns.address, DNS_PROBE: 'off' };
      const check = (OFFLINE: string) =>
        jsonInProcess<{ domain_authority: number; dmarc: string }[]>(['check', 'mailinator.com'], {
          ...settings,
          OFFLINE,
        });
      for (const offline of ['false', 'true']) {
        const [found] = await check(offline);
        assert.deepEqual([found?.domain_authority, found?.dmarc], [39, 'missing'], `OFFLINE=${offline}`);
      }
    } finally {
      await dns.close();
    }
  });

  it('signalpost check reports an invalid value in its place and fails', async () => {
    const { code, stdout, stderr } = await runInProcess(
      ['check', 'a@@b', 'gmail.com', 'x..y', '--offline', '--json'],
      env,
    );
    assert.equal(code, 1);
    const [first, second, third] = JSON.parse(stdout);
    assert.deepEqual(first, { value: 'a@@b', error: 'invalid_email' });
    assert.equal(second.public_domain, true);
    assert.deepEqual(third, { value: 'x..y', error: 'invalid_domain' });
    assert.equal(stderr, 'signalpost: "a@@b", "x..y": not valid\n');
  });

  it('signalpost check shows a block for each of a few values, with reasons when requested', async () => {
    const { code, stdout } = await runInProcess(['check', 'mailinator.com', '--offline', '--explain'], env);
    assert.equal(code, 0);
    assert.match(stdout, /^mailinator\.com\n {2}domain +mailinator\.com\n/);
    assert.match(
      stdout,
      /\n {2}disposable +yes\n +disposable-email-domains-js: lists it as disposable \(mailinator\.com, \d{4}-\d\d-\d\d\)/,
    );
    assert.match(stdout, /\n {2}spf +–\n +unknown: offline\n/);
  });

  it('signalpost check --ip shows what is known of an IP address, with who says so, alone or beside other values', async () => {
    const [domain, ip] = await jsonInProcess<Record<string, unknown>[]>(
      ['check', 'gmail.com', '--ip', '217.0.0.1', '--explain', '--offline'],
      env,
    );
    assert.equal(domain?.domain, 'gmail.com');
    assert.equal(ip?.['ip.network.asn'], 3320);
    const { explain } = ip as { explain: Record<string, { known: boolean; evidence?: { date?: string }[] }> };
    assert.match(explain['ip.network.asn']?.evidence?.[0]?.date ?? '', /^\d{4}-/);
    assert.equal(explain['ip.anonymity.tor.detected']?.known, false);
    const wrong = await runInProcess(['check', '--ip', 'nonsense', '--offline', '--json'], env);
    assert.deepEqual([wrong.code, JSON.parse(wrong.stdout)], [1, [{ value: 'nonsense', error: 'invalid_ip' }]]);
    assert.equal((await runInProcess(['check'], env)).code, 2);
  });

  it('signalpost check shows one line for each of many values', async () => {
    const values = Array.from({ length: 40 }, (_, index) => `user${index}@yopmail.com`);
    const { stdout } = await runInProcess(['check', ...values, '--offline'], env);
    const lines = stdout.trimEnd().split('\n');
    assert.equal(lines.length, 41);
    assert.match(lines[0] ?? '', /^value +disposable +public_domain/);
    assert.match(lines[40] ?? '', /^user39@yopmail\.com +yes +no/);
  });

  it('signalpost check needs a value', async () => {
    assert.equal((await runInProcess(['check'], env)).code, 2);
  });
});
