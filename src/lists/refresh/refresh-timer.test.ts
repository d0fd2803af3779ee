import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type DownloadServer, startDownloadServer } from '../../../test/download-server.ts';
import { chooseOnly } from '../../../test/lists/choose-only.ts';
import type { RefreshResult } from './refresh-source.ts';
import { runInProcess, startRefreshTimer } from './refresh-timer.ts';

const order = { dataDir: '/nowhere', outboundAllow: [], dnsServers: null, rdapBootstrapUrl: 'http://127.0.0.1:9/' };
const silent = { info() {}, warn() {} };

/** The first lines that a refresh at once writes into the log. */
async function linesOf(count: number, run: () => Promise<readonly RefreshResult[]>): Promise<string[]> {
  const lines: string[] = [];
  const written = Promise.withResolvers<void>();
  const note = (level: string) => (fields: { source?: string }, text: string) => {
    lines.push(`${level} ${fields.source ?? ''} ${text}`);
    if (lines.length === count) written.resolve();
  };
  const timer = startRefreshTimer({ order, log: { info: note('info'), warn: note('warn') }, random: () => 0, run });
  await written.promise;
  await timer.stop();
  return lines;
}

describe('the refresh of a running server', () => {
  it('the refresh of a running server is logged source by source, with one line for all publishers out of reach, and a failure is not fatal', async () => {
    const results: readonly RefreshResult[] = [
      { source: 'one', result: 'updated', count: 1, reason: null },
      { source: 'two', result: 'refused', count: 1, reason: 'it is empty' },
      { source: 'three', result: 'failed', count: 1, reason: 'connection refused' },
      { source: 'four', result: 'failed', count: 1, reason: 'connection refused' },
    ];
    assert.deepEqual(await linesOf(3, () => Promise.resolve(results)), [
      'info one lists: a source is up to date',
      'warn two lists: a source was refused; its last good edition stays in use',
      'info  lists: publishers were not reached; the last good editions stay in use',
    ]);
    assert.deepEqual(await linesOf(1, () => Promise.reject(new Error('no network'))), [
      'warn  lists: the refresh failed; the last good lists stay in use',
    ]);
  });

  it('the refresh of a running server is ended by the end of the server', async () => {
    const ran = Promise.withResolvers<void>();
    const timer = startRefreshTimer({
      order,
      log: { info: assert.fail, warn: assert.fail },
      random: () => 0,
      run: (_order, _log, signal) => {
        ran.resolve();
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    await ran.promise;
    await timer.stop();
  });

  it('the refresh of a running server does not begin with the server, but within the hour', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    let runs = 0;
    const run = async () => {
      runs += 1;
      return [];
    };
    const timer = startRefreshTimer({ order, log: silent, random: () => 0.5, run });
    context.mock.timers.tick(30 * 60_000 - 1);
    assert.equal(runs, 0);
    context.mock.timers.tick(1);
    assert.equal(runs, 1);
    await timer.stop();
  });
});

describe('a refresh in a process of its own', () => {
  let server: DownloadServer;
  const dataDir = mkdtempSync(join(tmpdir(), 'refresh-'));
  before(async () => {
    server = await startDownloadServer();
  });
  after(async () => {
    await server.close();
    rmSync(dataDir, { recursive: true });
  });

  it('a refresh in a process of its own does what was ordered and answers with the results', async () => {
    mkdirSync(join(dataDir, 'lists'));
    chooseOnly(dataDir, { 'tor-exits': `${server.origin}/tor` });
    server.serve('/tor', '192.0.2.1\n192.0.2.2\n');
    const results = await runInProcess(
      { ...order, dataDir, outboundAllow: [server.origin] },
      silent,
      new AbortController().signal,
    );
    assert.deepEqual(results, [{ source: 'tor-exits', result: 'updated', count: 2, reason: null }]);
    assert.equal(readFileSync(join(dataDir, 'lists', 'ip', 'tor.txt'), 'utf8'), '192.0.2.1\n192.0.2.2\n');
  });

  it('a refresh in a process of its own rejects when the order cannot be carried out', async () => {
    writeFileSync(join(dataDir, 'lists', 'refresh.json'), '{');
    await assert.rejects(runInProcess({ ...order, dataDir }, silent, new AbortController().signal), /refresh\.json/);
  });
});
