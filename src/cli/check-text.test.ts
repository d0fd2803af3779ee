import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkText, evidenceOf } from './check-text.ts';

const lookup = {
  status: 200,
  email: 'jane@example.com',
  domain: 'example.com',
  mx: true,
  mx_records: [
    { hostname: 'mx1.example.com', priority: 10 },
    { hostname: 'mx2.example.com', priority: 20 },
  ],
  mx_providers: [{ slug: 'google', type: 'mailbox', grade: 'consumer' }],
  disposable: false,
  spf: null,
  did_you_mean: null,
};

describe('the text of signalpost check', () => {
  it('shows MX records with their priority, providers by their name, booleans as words and unknown values as a dash', () => {
    const lines = checkText([{ value: 'jane@example.com', body: lookup }]).split('\n');
    assert.deepEqual(lines, [
      'jane@example.com',
      '  domain        example.com',
      '  mx            yes',
      '  mx_records    10 mx1.example.com, 20 mx2.example.com',
      '  mx_providers  google',
      '  disposable    no',
      '  spf           –',
      '  did_you_mean  –',
    ]);
  });

  it('shows an empty list as a dash', () => {
    assert.match(checkText([{ value: 'x.example', body: { mx_records: [] } }]), /mx_records {2}–$/);
  });

  it('shows one line for each of many values', () => {
    const many = Array.from({ length: 9 }, () => ({ value: 'jane@example.com', body: lookup }));
    const [heading = '', first = ''] = checkText(many).split('\n');
    assert.match(heading, /^value +disposable/);
    assert.match(first, /^jane@example\.com +no/);
  });

  it('shows the error of an invalid value in its place', () => {
    assert.equal(checkText([{ value: 'a@@b', error: 'invalid_email' }]), 'a@@b\n  invalid_email');
    assert.deepEqual(evidenceOf({ value: 'a@@b', error: 'invalid_email' }, 'mx'), ['invalid_email']);
  });

  it('shows the evidence of each field, and the reason of an unknown one', () => {
    const explain = {
      mx: { known: true, evidence: [{ source: 'dns', detail: '10 mx1.example.com' }] },
      spf: { known: false, reason: 'not_applicable' },
    };
    const text = checkText([{ value: 'example.com', body: { mx: true, spf: null, explain } }]);
    assert.equal(
      text,
      'example.com\n  mx   yes\n         dns: 10 mx1.example.com\n  spf  –\n         unknown: not applicable',
    );
  });
});
