import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { caseDomain } from '../../test/mail/mail-zone.ts';
import { mxProviderCases, providerEntries } from '../../test/mail/mx-provider-cases.ts';
import { compileMxProviders, recogniseProviders } from './mx-providers.ts';

const table = compileMxProviders(providerEntries);

describe('providers behind MX hosts', () => {
  for (const { name, domain, hosts, expected } of mxProviderCases) {
    it(`providers behind MX hosts are recognised: ${name} [D89]`, () => {
      const records = hosts.map((hostname, index) => ({ hostname, priority: 10 * index }));
      const slugs = recogniseProviders(records, table, caseDomain(domain)).map((provider) => provider.slug);
      assert.deepEqual(slugs, expected);
    });
  }

  it('providers behind MX hosts carry slug, type and grade and nothing else [S24]', () => {
    const records = [{ hostname: 'mxa.mailgun.org', priority: 10 }];
    assert.deepEqual(recogniseProviders(records, table, caseDomain('shop.example')), [
      { slug: 'mailgun', type: 'email_api', grade: 'professional' },
    ]);
  });

  it('providers behind MX hosts are refused when two of them share a suffix', () => {
    const entry = { slug: 'other', name: 'Other', type: 'mailbox', grade: 'basic', mx: ['google.com'] };
    assert.throws(
      () => compileMxProviders([...providerEntries, entry]),
      /google\.com belongs to both google and other/,
    );
  });
});
