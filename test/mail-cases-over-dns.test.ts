import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import mxProviders from '../data/mx-providers.json' with { type: 'json' };
import type { Domain } from '../src/address/domain.ts';
import { readDmarc } from '../src/mail/dmarc.ts';
import type { DnsSource } from '../src/mail/dns-source.ts';
import { readMx } from '../src/mail/mx.ts';
import { compileMxProviders, recogniseProviders } from '../src/mail/mx-providers.ts';
import { readSpf } from '../src/mail/spf.ts';
import { createDns } from '../src/net/dns/dns.ts';
import type { Deadline } from '../src/platform/deadline.ts';
import { type Reading, valueOrNull } from '../src/reading.ts';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import { dmarcCases } from './mail/dmarc-cases.ts';
import { caseDomain, type MailCase } from './mail/mail-zone.ts';
import { mxCases } from './mail/mx-cases.ts';
import { spfCases } from './mail/spf-cases.ts';

type Read = (domain: Domain, dns: DnsSource, deadline: Deadline) => Reading<unknown> | Promise<Reading<unknown>>;

/** The deadline of a query without a response; every other query is answered immediately from loopback. */
const silenceMs = 400;

describe('the mail cases over a real DNS server', () => {
  let server: DnsServer;
  before(async () => {
    server = await startDnsServer({});
  });
  after(() => server.close());

  const ask = async (mailCase: MailCase<unknown>, read: Read): Promise<unknown> => {
    server.setZone(mailCase.zone);
    for (const name of mailCase.servfail ?? []) server.behave(name, 'servfail');
    for (const name of mailCase.silent ?? []) server.behave(name, 'silent');
    const waits = (mailCase.silent ?? []).length > 0;
    const dns = createDns({ servers: [server.address], offline: false, now: Date.now });
    try {
      const deadline = { atMs: Date.now() + (waits ? silenceMs : 10_000) };
      return valueOrNull(await read(caseDomain(mailCase.domain), dns, deadline));
    } finally {
      dns.close();
      for (const name of [...(mailCase.servfail ?? []), ...(mailCase.silent ?? [])]) server.behave(name, 'normal');
    }
  };
  const table = (title: string, cases: readonly MailCase<unknown>[], read: Read): void => {
    describe(title, () => {
      for (const mailCase of cases) {
        it(`${title} cases over a real DNS server have the documented result: ${mailCase.name} (RFC or decision ${mailCase.rfc})`, async () => {
          assert.deepEqual(await ask(mailCase, read), mailCase.expected);
        });
      }
    });
  };

  table('MX', mxCases, readMx);
  table('SPF', spfCases, readSpf);
  table('DMARC', dmarcCases, readDmarc);
  describe('providers', () => {
    const providers = compileMxProviders(mxProviders.entries);
    for (const { slug, mx } of mxProviders.entries) {
      it(`the mail provider ${slug} is recognised by each of its hosts`, async () => {
        for (const suffix of mx) {
          const zone = { 'customer.test': { MX: [[10, `mx1.${suffix}`]] as const } };
          const domain = caseDomain('customer.test');
          const records = await ask({ name: slug, rfc: '', domain: domain.ascii, zone, expected: null }, readMx);
          const found = recogniseProviders(records as { hostname: string; priority: number }[], providers, domain);
          assert.deepEqual(
            found.map((provider) => provider.slug),
            [slug],
          );
        }
      });
    }
  });
});
