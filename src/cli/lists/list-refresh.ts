import { readRefreshSources } from '../../lists/refresh/refresh-catalogue.ts';
import { runRefresh } from '../../lists/refresh/refresh-run.ts';
import type { RefreshResult } from '../../lists/refresh/refresh-source.ts';
import { type Invocation, type Output, table, UsageError } from '../command.ts';
import { commandLog } from '../command-log.ts';
import type { CommandIo } from '../io.ts';

/** Runs `lists update`, with its progress on a terminal. Fails only when every source failed; the result has each failure. */
export async function refreshWithProgress({ config, positionals: only, io }: Invocation): Promise<Output> {
  if (config.offline) throw new Error('OFFLINE=true: nothing was downloaded and nothing was changed');
  const { dataDir, outboundAllow, dnsServers, rdapBootstrapUrl } = config;
  const names = readRefreshSources(dataDir, rdapBootstrapUrl).map((source) => source.name);
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new UsageError(`SOURCE is one of ${names.join(', ')}, not "${unknown}"`);
  const order = { dataDir, outboundAllow, dnsServers, rdapBootstrapUrl, ...(only.length === 0 ? {} : { only }) };
  const log = commandLog();
  const results = await runRefresh(order, log, progressOn(io.stderr));
  const bad = results.filter(({ result }) => result === 'failed' || result === 'refused');
  const failure =
    results.length > 0 && bad.length === results.length ? `no source could be updated: ${bad[0]?.reason}` : undefined;
  return { json: results, text: resultTable(results), ...(failure === undefined ? {} : { failure }) };
}

function resultTable(results: readonly RefreshResult[]): string {
  if (results.length === 0) return 'Every source is off';
  return table(
    ['source', 'result', 'count', 'reason'],
    results.map(({ source, result, count, reason }) => [source, result, String(count), reason ?? '']),
  );
}

const barWidth = 24;
/** Often enough for a progress bar. */
const redrawMs = 100;

/** A bar that redraws itself on a terminal; a line when a source begins and one when it is done elsewhere. */
function progressOn(stream: CommandIo['stderr']) {
  if (!stream.isTTY) {
    return {
      onStart: (source: string) => void stream.write(`${source}: downloading\n`),
      onResult: (result: RefreshResult) => void stream.write(`${resultLine(result)}\n`),
    };
  }
  let drawnAtMs = 0;
  const draw = (text: string) => stream.write(`\r\u001b[2K${text}`);
  return {
    onStart: (source: string) => void draw(`${source} …`),
    onProgress(source: string, received: number, total: number | null) {
      const nowMs = performance.now();
      if (nowMs - drawnAtMs < redrawMs) return;
      drawnAtMs = nowMs;
      const megabytes = `${(received / 1_048_576).toFixed(1)} MB`;
      draw(total === null ? `${source} ${megabytes}` : `${source} ${bar(received / total)} ${megabytes}`);
    },
    onResult: (result: RefreshResult) => void draw(`${resultLine(result)}\n`),
  };
}

function bar(share: number): string {
  const full = Math.min(barWidth, Math.round(share * barWidth));
  return `[${'#'.repeat(full)}${' '.repeat(barWidth - full)}] ${String(Math.round(share * 100)).padStart(3)} %`;
}

function resultLine({ source, result, count, reason }: RefreshResult): string {
  return `${source}: ${result}, ${count} entries${reason === null ? '' : ` (${reason})`}`;
}
