import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { networkOf, placeOf } from './ip-records.ts';

const nowhere = { countryCode: null, continentCode: null, city: null };
const noNetwork = { asn: null, aso: null, domain: null };

describe('the place in a record', () => {
  const cases: readonly (readonly [string, unknown, object])[] = [
    [
      "MaxMind's and DB-IP's",
      {
        continent: { code: 'EU', names: { en: 'Europe' } },
        country: { iso_code: 'DE', names: { en: 'Germany' } },
        city: { names: { de: 'München', en: 'Munich' } },
      },
      { countryCode: 'DE', continentCode: 'EU', city: 'Munich' },
    ],
    ['flat', { country_code: 'fr', city: 'Paris' }, { countryCode: 'FR', continentCode: null, city: 'Paris' }],
    ['a country as a code', { country: 'JP' }, { ...nowhere, countryCode: 'JP' }],
    ['a continent alone', { continent: { code: 'AS' } }, { ...nowhere, continentCode: 'AS' }],
    ['where it is registered, not where it is', { registered_country: { iso_code: 'US' } }, nowhere],
    ['the code for unknown', { country: { iso_code: 'ZZ' } }, nowhere],
    ['a city without an English name', { city: { names: { de: 'Köln' } } }, nowhere],
    ['empty texts', { city: '', country_code: '' }, nowhere],
    ['no record', null, nowhere],
  ];
  for (const [name, record, expected] of cases) {
    it(`the place in an IP record is read: ${name}`, () => assert.deepEqual(placeOf(record), expected));
  }
});

describe('the network in a record', () => {
  const cases: readonly (readonly [string, unknown, object])[] = [
    [
      "MaxMind's and DB-IP's",
      { autonomous_system_number: 3320, autonomous_system_organization: 'Deutsche Telekom AG' },
      { asn: 3320, aso: 'Deutsche Telekom AG', domain: null },
    ],
    [
      'below traits, with a domain',
      { traits: { autonomous_system_number: 64500, autonomous_system_organization: 'X', domain: 'Example.COM' } },
      { asn: 64500, aso: 'X', domain: 'example.com' },
    ],
    [
      "IPinfo's",
      { asn: 'AS15169', as_name: 'Google LLC', as_domain: 'google.com' },
      { asn: 15169, aso: 'Google LLC', domain: 'google.com' },
    ],
    ['a number of four octets', { autonomous_system_number: 4294967295 }, { ...noNetwork, asn: 4294967295 }],
    ['the number for none', { autonomous_system_number: 0 }, noNetwork],
    ['numbers that are none', { autonomous_system_number: 1.5, asn: 'AS' }, noNetwork],
    ['no record', null, noNetwork],
  ];
  for (const [name, record, expected] of cases) {
    it(`the network in an IP record is read: ${name}`, () => assert.deepEqual(networkOf(record), expected));
  }
});

it('any record at all gives a place and a network, or null, and never throws', () => {
  fc.assert(
    fc.property(fc.anything(), (record) => {
      assert.deepEqual(Object.keys(placeOf(record)), Object.keys(nowhere));
      assert.deepEqual(Object.keys(networkOf(record)), Object.keys(noNetwork));
    }),
  );
});
