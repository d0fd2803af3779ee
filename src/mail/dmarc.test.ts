import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { dmarcCases } from '../../test/mail/dmarc-cases.ts';
import { caseDomain, createZoneDns } from '../../test/mail/mail-zone.ts';
import { valueOrNull } from '../reading.ts';
import { readDmarc } from './dmarc.ts';

const deadline = { atMs: Number.POSITIVE_INFINITY };

describe('the DMARC policy', () => {
  for (const dmarcCase of dmarcCases) {
    it(`the DMARC policy is ${dmarcCase.expected} for: ${dmarcCase.name} (RFC or decision ${dmarcCase.rfc}) [S27 D94 D95 D96 D97]`, async () => {
      const reading = await readDmarc(caseDomain(dmarcCase.domain), createZoneDns(dmarcCase), deadline);
      assert.equal(valueOrNull(reading), dmarcCase.expected);
    });
  }

  it('the DMARC policy of a long name takes the eight questions of RFC 9989 section 4.10', async () => {
    const dns = createZoneDns({ zone: {} });
    await readDmarc(caseDomain('a.b.c.d.e.f.g.h.i.j.mail.example.com'), dns, deadline);
    assert.deepEqual(dns.questions, [
      'TXT _dmarc.a.b.c.d.e.f.g.h.i.j.mail.example.com',
      'TXT _dmarc.g.h.i.j.mail.example.com',
      'TXT _dmarc.h.i.j.mail.example.com',
      'TXT _dmarc.i.j.mail.example.com',
      'TXT _dmarc.j.mail.example.com',
      'TXT _dmarc.mail.example.com',
      'TXT _dmarc.example.com',
      'TXT _dmarc.com',
    ]);
  });

  it('the DMARC policy of a domain with a record takes one question', async () => {
    const dns = createZoneDns({ zone: { '_dmarc.example.com': { TXT: ['v=DMARC1; p=none; np=reject'] } } });
    await readDmarc(caseDomain('example.com'), dns, deadline);
    assert.deepEqual(dns.questions, ['TXT _dmarc.example.com']);
  });

  it('the DMARC policy asks whether a name exists only when it matters, and never by an MX question', async () => {
    const zone = { '_dmarc.example.com': { TXT: ['v=DMARC1; p=none; np=reject'] } };
    const dns = createZoneDns({ zone });
    await readDmarc(caseDomain('a.example.com'), dns, deadline);
    assert.deepEqual(dns.questions.at(-1), 'TXT a.example.com');
    const same = createZoneDns({ zone: { '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject; np=reject'] } } });
    await readDmarc(caseDomain('a.example.com'), same, deadline);
    assert.ok(!same.questions.includes('TXT a.example.com'));
  });

  it('the DMARC policy of a name too long to carry a record is looked for above it', async () => {
    const long = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(48)}.example.com`;
    assert.equal(long.length, 252);
    const dns = createZoneDns({ zone: { '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject'] } } });
    assert.equal(valueOrNull(await readDmarc(caseDomain(long), dns, deadline)), 'reject');
    assert.ok(dns.questions.every((question) => question.length <= 'TXT '.length + 253));
  });

  it('the DMARC policy is given for any record, and never throws', async () => {
    const tag = fc.oneof(
      fc.constantFrom(
        'p=reject',
        'sp=none',
        'np=x',
        'rua=mailto:a@b.example',
        'psd=y',
        't=y',
        'pct=0',
        'P=none',
        'v=DMARC1',
      ),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(tag), async (tags) => {
        const dns = createZoneDns({ zone: { '_dmarc.example.com': { TXT: [['v=DMARC1', ...tags].join('; ')] } } });
        const value = valueOrNull(await readDmarc(caseDomain('example.com'), dns, deadline));
        assert.ok(value !== null && ['reject', 'quarantine', 'none', 'invalid'].includes(value));
      }),
    );
  });
});
