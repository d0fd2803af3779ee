// Makes every API call once against a real service, and records the calls as the examples of the reference.
import { writeFileSync } from 'node:fs';
import { startDnsServer } from '../test/dns-server.ts';
import { startRdapServer } from '../test/rdap-server.ts';
import { realClock, startApp } from '../test/start-app.ts';
import { recordExamples } from './record-examples.ts';

const file = new URL('../data/reference/examples.json', import.meta.url);
const zone = {
  'mailinator.com': {
    MX: [[10, 'mail.mailinator.com'] as const, [20, 'mail2.mailinator.com'] as const],
    TXT: ['v=spf1 mx -all'],
  },
  '_dmarc.mailinator.com': { TXT: ['v=DMARC1; p=reject'] },
  'gmial.com': { TXT: ['v=spf1 -all'] },
  'example.com': { MX: [[1, 'aspmx.l.google.com'] as const], TXT: ['v=spf1 include:_spf.google.com ~all'] },
  '_spf.google.com': { TXT: ['v=spf1 ip4:192.0.2.0/24 ~all'] },
  '_dmarc.example.com': { TXT: ['v=DMARC1; p=quarantine'] },
};
const dns = await startDnsServer(zone);
const rdap = await startRdapServer(['com']);
rdap.behave('mailinator.com', { kind: 'registered', at: '2003-06-09T00:00:00Z' });
rdap.behave('example.com', { kind: 'registered', at: '1995-08-14T00:00:00Z' });
const started = await startApp(
  {
    OFFLINE: 'false',
    DNS_SERVERS: dns.address,
    RDAP_BOOTSTRAP_URL: rdap.bootstrapUrl,
    OUTBOUND_ALLOW: rdap.origin,
    PUBLIC_URL: 'https://signals.example.com',
  },
  { clock: realClock() },
);
try {
  const { keys } = await started.createAccount({ plan: 'pro-200k' });
  const examples = await recordExamples(started, keys.production);
  writeFileSync(file, `${JSON.stringify(examples, null, 2)}\n`);
} finally {
  await started.close();
  await Promise.all([dns.close(), rdap.close()]);
}
