import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { caseDomain, createZoneDns, type Zone } from '../../test/mail/mail-zone.ts';
import { spfCases } from '../../test/mail/spf-cases.ts';
import { retainedHeapBytes } from '../../test/retained-heap.ts';
import { valueOrNull } from '../reading.ts';
import { readSpf } from './spf.ts';

const deadline = { atMs: Number.POSITIVE_INFINITY };
const domain = caseDomain('example.com');

async function questionsFor(zone: Zone): Promise<string[]> {
  const dns = createZoneDns({ zone });
  await readSpf(domain, dns, deadline);
  return dns.questions;
}

describe('the SPF verdict', () => {
  for (const spfCase of spfCases) {
    it(`the SPF verdict is ${spfCase.expected} for: ${spfCase.name} (RFC or decision ${spfCase.rfc}) [S26 D91 D92 D93]`, async () => {
      const reading = await readSpf(caseDomain(spfCase.domain), createZoneDns(spfCase), deadline);
      assert.equal(valueOrNull(reading), spfCase.expected, reading.known ? reading.why?.()[0]?.detail : reading.reason);
    });
  }

  it('the SPF verdict quotes no more than a line of a record, however long it is', async () => {
    const zone = { 'example.com': { TXT: [`v=spf1 ${'x'.repeat(50_000)} -all`] } };
    const reading = await readSpf(domain, createZoneDns({ zone }), deadline);
    assert.ok(reading.known);
    const detail = reading.why?.()[0]?.detail ?? '';
    assert.match(detail, /^example\.com: syntax error at "x+…$/);
    assert.equal(detail.length, 300);
  });

  it('the SPF verdict keeps of a long record nothing but its verdict in memory', async () => {
    const kept: unknown[] = [];
    const bytes = await retainedHeapBytes(async () => {
      for (let index = 0; index < 400; index++) {
        const ends = [`a:host-${index}.example.net ~all`, `no-such-mechanism-${index}`];
        const texts = ends.map((end) => `v=spf1 unknown=${'x'.repeat(50_000)} ${end}`);
        for (const text of texts) {
          kept.push(await readSpf(domain, createZoneDns({ zone: { 'example.com': { TXT: [text] } } }), deadline));
        }
      }
    });
    assert.ok(bytes < 10_000_000);
    assert.equal(kept.length, 800);
  });

  it('the SPF verdict is unknown for the reason the DNS gave', async () => {
    const zone = { 'example.com': { TXT: ['v=spf1 include:s.example.net -all'] } };
    const silent = await readSpf(domain, createZoneDns({ zone, silent: ['s.example.net'] }), deadline);
    assert.deepEqual(silent, { known: false, reason: 'timeout' });
    const servfail = await readSpf(domain, createZoneDns({ zone, servfail: ['s.example.net'] }), deadline);
    assert.deepEqual(servfail, { known: false, reason: 'failed' });
  });

  it('the SPF verdict asks nothing but the record when the record decides', async () => {
    assert.deepEqual(await questionsFor({ 'example.com': { TXT: ['v=spf1 a a:other.example.net ~all'] } }), [
      'TXT example.com',
    ]);
    const broken = `v=spf1 ${'include:s.example.net '.repeat(11)}-all`;
    assert.deepEqual(await questionsFor({ 'example.com': { TXT: [broken] } }), ['TXT example.com']);
  });

  it('the SPF verdict does not go round a loop, nor ask for a name that cannot exist', async () => {
    for (const target of ['example.com', `${'x'.repeat(64)}.example.net`]) {
      const text = `v=spf1 include:${target} -all`;
      assert.deepEqual(await questionsFor({ 'example.com': { TXT: [text] } }), ['TXT example.com']);
    }
  });

  it('the SPF verdict asks for IPv6 addresses of names that exist and have no IPv4 address, no others', async () => {
    const text = 'v=spf1 a:gone.example.net a:six.example.net a:four.example.net -all';
    const zone = { 'six.example.net': { AAAA: ['2001:db8::1'] }, 'four.example.net': { A: ['192.0.2.1'] } };
    const questions = await questionsFor({ 'example.com': { TXT: [text] }, ...zone });
    assert.deepEqual(
      questions.filter((question) => question.startsWith('AAAA')),
      ['AAAA six.example.net'],
    );
  });

  it('the SPF verdict cuts a name that is too long on the left', async () => {
    const text = `v=spf1 mx:${'%{d}.'.repeat(5000)}example.net -all`;
    const [, asked = ''] = await questionsFor({ 'example.com': { TXT: [text] } });
    assert.match(asked, /^MX (?:com\.)?(?:example\.com\.){19,20}example\.net$/);
    assert.ok(asked.length <= 'MX '.length + 253);
  });

  it('the SPF verdict never asks for a name that depends on the sender', async () => {
    const text = 'v=spf1 exists:%{i}.example.net a:%{h}.example.net mx:%{s}.example.net include:%{l}.example.net -all';
    assert.deepEqual(await questionsFor({ 'example.com': { TXT: [text] } }), ['TXT example.com']);
  });

  it('the SPF verdict expands the domain into the names it asks for', async () => {
    const text = 'v=spf1 mx:%{d}._x.example.net mx:%{d1r}.%{O2}.%{d1}.example.net mx:%{dr-}.example.net -all';
    assert.deepEqual(await questionsFor({ 'example.com': { TXT: [text] } }), [
      'TXT example.com',
      'MX example.com._x.example.net',
      'MX example.example.com.com.example.net',
      'MX example.com.example.net',
    ]);
  });

  it('the SPF verdict is given for any record, with a bounded number of questions', async () => {
    const term = fc.oneof(
      fc.constantFrom(
        'include:a.example.net',
        'include:example.com',
        'redirect=b.example.net',
        'a',
        'mx',
        'ptr',
        '-all',
      ),
      fc.constantFrom('exists:%{d}', 'ip4:192.0.2.1', 'ip6:::1', 'a/24//64', 'x=y', 'exp=%{d}', 'include:%{d}.%{o}'),
      fc.string(),
    );
    const text = fc.array(term).map((terms) => ['v=spf1', ...terms].join(' '));
    await fc.assert(
      fc.asyncProperty(text, text, text, async (one, two, three) => {
        const zone = {
          'example.com': { TXT: [one] },
          'a.example.net': { TXT: [two] },
          'b.example.net': { TXT: [three] },
        };
        const dns = createZoneDns({ zone });
        const value = valueOrNull(await readSpf(domain, dns, deadline));
        assert.ok(value !== null && value !== 'missing');
        assert.ok(dns.questions.length <= 21, `${dns.questions.length} questions`);
      }),
    );
  });
});
