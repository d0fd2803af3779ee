import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import words from '../../data/asn-words.json' with { type: 'json' };
import { temporaryDirectory } from '../../test/engines.ts';
import { until } from '../../test/eventually.ts';
import { shareSnapshot } from '../../test/shared-snapshot.ts';
import { parseIp } from '../address/ip.ts';
import { openIpData } from './ip-data.ts';
import type { IpKnowledge } from './ip-knowledge.ts';
import { ruleOfName } from './network-names.ts';
import { type NetworkPackageOptions, openNetworkPackage } from './network-package.ts';

const log = { info() {}, warn() {} };

async function open(dataDir: string, build?: NetworkPackageOptions['build']) {
  const networks = openNetworkPackage({ dataDir, log, ...(build && { build }) });
  const data = openIpData({ dataDir, log, now: Date.now, networks });
  await data.loaded;
  return (address: string) => {
    const ip = parseIp(address);
    assert.ok(ip !== null);
    return data.read(ip);
  };
}

describe('the networks of the package', () => {
  const dataDir = temporaryDirectory();
  shareSnapshot(dataDir);

  // Networks that have had the same holder for decades.
  for (const [address, asn, type, hosting, vpn] of [
    ['217.0.0.1', 3320, 'isp', false, false],
    ['2003::1', 3320, 'isp', false, false],
    ['18.18.18.18', 3, 'education', false, false],
    ['52.95.110.1', 16509, 'hosting', true, false],
    ['2a01:4f8::1', 24940, 'hosting', true, null],
    ['38.0.0.1', 174, 'transit', null, null],
  ] as const) {
    it(`the networks of the package give network, class, hosting and VPN of ${address} without any file`, async () => {
      const known = (await open(dataDir))(address);
      const values = [known.network.asn, known.network.type, known.hosting.detected, known.anonymity.vpn.detected];
      assert.deepEqual(values, [asn, type, hosting, vpn]);
      assert.ok(known.network.aso);
    });
  }

  it('the networks of the package give the network of most routed addresses, the class of 95 in 100 of these, hosting of 93, VPN of 92', async () => {
    const read = await open(dataDir);
    const sample = Array.from({ length: 20_000 }, (_, i) => {
      const word = Math.imul(i + 1, 0x9e3779b1) >>> 0;
      return [24, 16, 8, 0].map((shift) => (word >>> shift) & 255).join('.');
    });
    const routed = sample.map(read).filter(({ network }) => network.asn !== null);
    assert.ok(routed.length > 0.7 * sample.length, `${routed.length} addresses have a network`);
    const share = (isKnown: (known: IpKnowledge) => boolean) => routed.filter(isKnown).length / routed.length;
    assert.ok(share(({ network }) => network.type !== null) > 0.95);
    // Addresses of transit carriers, one in forty, have a class and say nothing of hosting and VPN.
    assert.ok(share(({ hosting }) => hosting.detected !== null) > 0.93);
    assert.ok(share(({ anonymity }) => anonymity.vpn.detected !== null) > 0.92);
  });

  it('the networks of the package say in an explanation which edition they are of, and which word of a name gave the class', async () => {
    const data = openIpData({ dataDir, log, now: Date.now, networks: openNetworkPackage({ dataDir, log }) });
    await data.loaded;
    const ip = parseIp('203.173.241.145');
    assert.ok(ip !== null);
    const { 'network.asn': network, 'network.type': type, 'hosting.detected': hosting } = data.explain(ip);
    assert.equal(network?.[0]?.source, '@ip-location-db/asn');
    assert.match(network[0].date ?? '', /^\d{4}-\d\d-\d\dT/);
    assert.equal(type?.[0]?.source, 'data/asn-words.json');
    assert.match(type[0].detail, /^classed by the word "[^"]+" in its name$/);
    assert.equal(hosting?.[0]?.detail, 'a network of class isp is no hosting');
  });

  it('the networks of the package are compiled again when the file is damaged', async () => {
    const damaged = temporaryDirectory();
    shareSnapshot(damaged);
    const path = join(damaged, 'lists', 'networks.bin');
    rmSync(path);
    writeFileSync(path, 'not networks');
    assert.equal((await open(damaged))('217.0.0.1').network.asn, 3320);
  });
});

describe('networks whose file is damaged behind its head', () => {
  it('networks whose file is damaged behind its head are unknown to the first address, and known again once they are recompiled', async () => {
    const damaged = temporaryDirectory();
    shareSnapshot(damaged);
    const path = join(damaged, 'lists', 'networks.bin');
    const intact = readFileSync(path);
    const bytes = Buffer.from(intact);
    bytes.writeUInt32LE(bytes.readUInt32LE(bytes.length - 400) ^ 1, bytes.length - 400);
    rmSync(path);
    writeFileSync(path, bytes);
    // Another test compiles the package.
    const read = await open(damaged, async () => writeFileSync(path, intact));
    assert.equal(read('217.0.0.1').network.asn, null);
    await until(() => read('217.0.0.1').network.asn === 3320);
  });
});

describe('the class derived from a name', () => {
  for (const [name, addresses, kind] of [
    ['Example Hosting GmbH', 256, 'hosting'],
    ['University of Example Cloud Services', 256, 'hosting'],
    ['Universidade de São Exemplo', 256, 'education'],
    ['Ministry of Examples', 256, 'government'],
    ['Exemplo Telecomunicações S.A.', 256, 'isp'],
    ['Bank of Example', 256, 'business'],
    ['GTT Americas, LLC', 256, 'transit'],
    ['Level 3 Parent, LLC', 256, 'transit'],
    ['FlokiNET ehf', 10_240, 'hosting'],
    ['Fourplex Telecom LLC', 256, 'hosting'],
    ['Stiftung Erneuerbare Freiheit', 256, 'hosting'],
    ['Example Technologies Inc.', 10_000_000, null],
    ['Examplenet', 256, null],
    ['Examplenet', 2_048, 'isp'],
    ['Example Networks Ltd', 2_048, null],
    ['Example Networks Ltd', 32_768, 'isp'],
    ['Example Emporiki Anonymi Etaireia', 256, null],
    ['Exemple, société anonyme', 256, null],
    ['Example VPN Ltd', 256, 'vpn'],
    ['green.ch AG', 256, 'isp'],
    ['Beijing Example Science and Technology Co., Ltd.', 256, 'business'],
    ['Cloudexample Broadband', 256, 'isp'],
    ['Cloudexample Ltd', 256, 'hosting'],
  ] as const) {
    it(`is ${kind} for "${name}" with ${addresses} addresses`, () => {
      assert.equal(ruleOfName(name, addresses)?.class ?? null, kind);
    });
  }

  it('the class derived from a name comes with the pattern that matched', () => {
    assert.deepEqual(ruleOfName('Fernsprech Exempeltelecom AG', 256), { class: 'isp', pattern: '*telecom' });
  });

  it('the table of words has no pattern that no name can match', () => {
    const unmatched = [...words.entries, ...words.sized].flatMap((group) =>
      group.words.filter((pattern) => ruleOfName(pattern.replaceAll('*', 'x'), 2 ** 32) === null),
    );
    assert.deepEqual(unmatched, []);
  });
});
