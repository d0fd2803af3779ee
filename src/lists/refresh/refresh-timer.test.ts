import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type DownloadServer, startDownloadServer } from '../../../test/download-server.ts';
import { chooseOnly } from '../../../test/lists/choose-only.ts';
import type { RefreshResult } from './refresh-source.ts';
import { refreshJob, runInProcess } from './refresh-timer.ts';

const order = { dataDir: '/nowhere', outboundAllow: [], dnsServers: null, rdapBootstrapUrl: 'http://127.0.0.1:9/' };
const silent = { info() {}, warn() {} };

const { signal } = new AbortController();

/** The lines that a refresh writes into the log. */
async function linesOf(results: readonly RefreshResult[]): Promise<string[]> {
  const lines: string[] = [];
  const note = (level: string) => (fields: { source?: string }, text: string) => {
    lines.push(`${level} ${fields.source ?? ''} ${text}`);
  };
  await refreshJob({ order, log: { info: note('info'), warn: note('warn') }, run: async () => results }).run(signal);
  return lines;
}

describe('the refresh of a running server', () => {
  it('logs each source, and one line for all unreachable publishers', async () => {
    const results: readonly RefreshResult[] = [
      { source: 'one', result: 'updated', count: 1, reason: null },
      { source: 'two', result: 'refused', count: 1, reason: 'it is empty' },
      { source: 'three', result: 'failed', count: 1, reason: 'connection refused' },
      { source: 'four', result: 'failed', count: 1, reason: 'connection refused' },
    ];
    assert.deepEqual(await linesOf(results), [
      'info one lists: a source is up to date',
      'warn two lists: a source was refused; its last good edition stays in use',
      'info  lists: publishers were not reached; the last good editions stay in use',
    ]);
  });

  it('reports the sources with a new edition, and nothing without one', async () => {
    const reported: (readonly string[])[] = [];
    const refresh = (result: RefreshResult['result']) =>
      refreshJob({
        order,
        log: silent,
        run: async () => [{ source: 'one', result, count: 1, reason: null }],
        onUpdated: async (sources) => void reported.push(sources),
      }).run(signal);
    await refresh('unchanged');
    await refresh('updated');
    assert.deepEqual(reported, [['one']]);
  });

  it('passes the stop signal to the refresh', async () => {
    const ended = new AbortController();
    const { run } = refreshJob({
      order,
      log: { info: assert.fail, warn: assert.fail },
      run: (_order, _log, given) =>
        new Promise((_, reject) => given.addEventListener('abort', () => reject(given.reason))),
    });
    const running = run(ended.signal);
    ended.abort(new Error('stopped'));
    await assert.rejects(running, /stopped/);
  });

  it('first runs at a random time within the hour, then daily', () => {
    const { firstMs, everyMs } = refreshJob({ order, log: silent, random: () => 0.5 });
    assert.deepEqual([firstMs, everyMs], [1_800_000, 86_400_000]);
  });
});

describe('a refresh in its own process', () => {
  let server: DownloadServer;
  const dataDir = mkdtempSync(join(tmpdir(), 'refresh-'));
  before(async () => {
    server = await startDownloadServer();
  });
  after(async () => {
    await server.close();
    rmSync(dataDir, { recursive: true });
  });

  it('a refresh in its own process runs the order and returns the results', async () => {
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

  it('a refresh in its own process rejects when the order fails', async () => {
    writeFileSync(join(dataDir, 'lists', 'refresh.json'), '{');
    await assert.rejects(runInProcess({ ...order, dataDir }, silent, new AbortController().signal), /refresh\.json/);
  });
});
