import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import whoisTable from '../../../data/whois-servers.json' with { type: 'json' };
import { readWhoisRegistration } from './whois-answer.ts';
import { parseWhoisDate } from './whois-date.ts';
import { findWhoisServer, shippedWhoisServers } from './whois-servers.ts';

const day = Date.UTC(2003, 2, 7);
const at = (hours: number, minutes = 0, seconds = 0) => day + ((hours * 60 + minutes) * 60 + seconds) * 1_000;
const cases: [string, number | null][] = [
  ['2003-03-07', day],
  ['2003-03-07T12:20:05Z', at(12, 20, 5)],
  ['2003-03-07T12:20:05.123Z', at(12, 20, 5)],
  ['2003-03-07 12:20:05', at(12, 20, 5)],
  ['2003-03-07 12:20', at(12, 20)],
  ['2003-03-07 12:20:05 +03:00', at(9, 20, 5)],
  ['2003-03-07 12:20:05+02', at(10, 20, 5)],
  ['2003-03-07T12:20:05-0500', at(17, 20, 5)],
  ['2003-03-07 12:20:05 CLST', at(12, 20, 5)],
  ['2003-03-07 12:20:05 (GMT+0:00)', at(12, 20, 5)],
  ['2003-03-07 (YYYY-MM-DD)', day],
  ['2003/03/07', day],
  ['2003. 03. 07.', day],
  ['2003.03.07', day],
  ['20030307', day],
  ['2003-Mar-07.', day],
  ['07.03.2003 12:31:19', day],
  ['7.3.2003', day],
  ['07/03/2003 00:00:00', day],
  ['07-03-2003', day],
  ['07-Mar-2003', day],
  ['07 Mar 2003', day],
  ['7th March 2003 at 00:00:00.000', day],
  ['1st April 2003', Date.UTC(2003, 3, 1)],
  ['Fri Mar 7 2003', day],
  ['Fri Mar 07 10:08:33 2003', day],
  ['March 7 2003', day],
  ['  2003-03-07  ', day],
  ['before Aug-1996', null],
  ['Before 2001', null],
  ['2003-02-30', null],
  ['2003-13-01', null],
  ['31.02.2003', null],
  ['2003', null],
  ['200303071', null],
  ['yes', null],
  ['', null],
];

describe('a WHOIS date', () => {
  for (const [text, expected] of cases) {
    it(`a WHOIS date "${text}" ${expected === null ? 'is none' : 'is read'}`, () =>
      assert.equal(parseWhoisDate(text), expected));
  }

  it('a WHOIS date never throws, and never takes long, on any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => void parseWhoisDate(text)));
    assert.equal(parseWhoisDate(' '.repeat(1_000_000)), null);
    assert.equal(parseWhoisDate('a'.repeat(1_000_000)), null);
  });
});

describe('the shipped table', () => {
  /** Fills a format with 2003-03-07 12:20:05 UTC. */
  const write = (format: string) =>
    format
      .replace('hh:mm:ss +hh:mm', '12:20:05 +00:00')
      .replace('hh:mm:ss+hh', '12:20:05+00')
      .replace('hh:mm:ss', '12:20:05')
      .replace('YYYY', '2003')
      .replace('DDD', 'Fri')
      .replace('MMMM', 'March')
      .replace('MMM', 'Mar')
      .replace('MM', '03')
      .replace('DD', '07')
      .replace(/\bDth/, '7th')
      .replace(/\bD\b/, '7')
      .replace(/\bM\b/, '3');

  for (const { suffix, label, format } of whoisTable.entries) {
    it(`the shipped table of WHOIS servers has a format for .${suffix} that is understood`, () => {
      const answer = `Domain: example.${suffix}\r\n${label}: ${write(format)}\r\nchanged: 2020-01-01\r\n`;
      const found = readWhoisRegistration(answer, label, Date.UTC(2026, 0, 1));
      assert.ok(found === day || found === at(12, 20, 5), `${write(format)} gave ${found}`);
    });
  }

  it('the shipped table of WHOIS servers is sorted, without doubles, with host names and a place for the domain in each question', () => {
    const suffixes = shippedWhoisServers.map((server) => server.suffix);
    assert.deepEqual(suffixes, [...new Set(suffixes)].sort());
    assert.ok(suffixes.length >= 40);
    for (const server of shippedWhoisServers) {
      assert.match(server.host, /^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
      assert.ok((server.query ?? '%s').includes('%s'));
    }
  });

  it('the shipped table of WHOIS servers is searched by whole labels, the longest suffix first', () => {
    const server = { host: 'whois.example', label: 'created' };
    const servers = [
      { ...server, suffix: 'jp' },
      { ...server, suffix: 'co.jp' },
    ];
    assert.equal(findWhoisServer(servers, 'a.co.jp')?.suffix, 'co.jp');
    assert.equal(findWhoisServer(servers, 'a.jp')?.suffix, 'jp');
    assert.equal(findWhoisServer(servers, 'ajp'), null);
    assert.equal(findWhoisServer(servers, 'a.jpx'), null);
  });
});
