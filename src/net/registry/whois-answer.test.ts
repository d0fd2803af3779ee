import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isWhoisRateLimit, readWhoisRegistration } from './whois-answer.ts';

const nowMs = Date.UTC(2026, 10, 15);
const day = Date.UTC(2003, 2, 7);
const read = (answer: string, label = 'Creation Date') => readWhoisRegistration(answer, label, nowMs);

describe('a WHOIS answer', () => {
  const lines = [
    'Creation Date: 2003-03-07T00:00:00Z',
    '   Creation Date:        2003-03-07T00:00:00Z',
    'created:          2003-03-07',
    'created............: 7.3.2003 00:00:00',
    'Registered:\tFri Mar 7 2003',
    'Registered on: 07-Mar-2003',
    'Registered on 7th March 2003 at 00:00:00.000',
    'Registration Time: 2003-03-07 00:00:00',
    'Registered Date             : 2003. 03. 07.',
    '[Created on]                     2003/03/07',
    'a. [Registered Date]            2003/03/07',
    'Record created on 2003-03-07 (YYYY-MM-DD)',
    'Domain Name Commencement Date: 07-03-2003',
    'Created on..............: 2003-Mar-07.',
    'record created: 2003-03-07',
    '*** Registered: 2003-03-07',
  ];
  for (const line of lines) {
    it(`a WHOIS answer has the date of "${line.trim()}"`, () => {
      assert.equal(read(`% terms\r\nDomain: example.xy\r\n${line}\r\nExpires: 2030-01-01\r\n`), day);
    });
  }

  it('a WHOIS answer is read by the registry’s own field before the usual ones', () => {
    const answer = 'created: 2010-01-01\nregistered: 07.03.2003 10:00:00\n';
    assert.equal(read(answer, 'registered'), day);
    assert.equal(read(answer, 'Other'), Date.UTC(2010, 0, 1));
  });

  it('a WHOIS answer without a valid date has none', () => {
    const answers = [
      'No match for "EXAMPLE.XY".\r\n',
      'Registered: yes\n',
      'Created: 1970-01-01\n',
      'Created: 2030-01-01\n',
      'createdby: 2003-03-07\n',
      'Last changed: 2003-03-07\n',
      '',
    ];
    for (const answer of answers) assert.equal(read(answer), null, answer);
  });

  it('a WHOIS answer never throws on any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => void read(text)));
  });

  it('a WHOIS answer may be a refusal for asking too often', () => {
    assert.equal(isWhoisRateLimit('%% Query LIMIT EXCEEDED, try later\r\n'), true);
    assert.equal(isWhoisRateLimit('No match'), false);
  });
});
