// How fast one receiver gets many events, and the cost for the service: `node bench/webhooks.ts [EVENTS]`.
// With TEST_POSTGRES_URL on that PostgreSQL as well.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseOptions, openDatabase } from '../src/db/db.ts';
import { announce } from '../src/webhooks/announce-store.ts';
import type { WebhookEvent } from '../src/webhooks/events.ts';
import { temporaryDirectory } from '../test/engines.ts';
import { missingService, postgresServer, postgresUrl } from '../test/services.ts';
import { type Serving, serveSignalpost } from '../test/signalpost-process.ts';
import { startReceiver } from '../test/webhook-receiver.ts';

const events = Number(process.argv[2] ?? 10_000);
const type = 'domain.flagged.spam';

await measure('SQLite', { url: null, dataDir: temporaryDirectory() });
if ((await missingService(postgresServer)) === false) {
  await measure('PostgreSQL', { url: await postgresUrl(), dataDir: temporaryDirectory() });
}

async function measure(engine: string, at: DatabaseOptions): Promise<void> {
  const receiver = await startReceiver();
  const database = at.url === null ? {} : { DATABASE_URL: at.url };
  const service = await serveSignalpost({ DATA_DIR: at.dataDir, OUTBOUND_ALLOW: receiver.origin, ...database });
  const db = await openDatabase(at);
  try {
    await service.call('POST', '/v1/webhooks', { url: receiver.url, events: [type] });
    await sleep(2_000);
    const before = usageOf(service);
    const startedMs = performance.now();
    const found = Array.from({ length: events }, (_, index): WebhookEvent => {
      return { type, data: { domain: `d${index}.example` }, atMs: Date.now(), key: `spam d${index}.example` };
    });
    const owner = { accountId: service.account, environment: 'production' } as const;
    await db.transaction((trx) => announce(trx, owner, found));
    const announcedMs = performance.now();
    const waiting = () =>
      db.read.selectFrom('webhook_deliveries').select('id').where('due_at', 'is not', null).limit(1);
    let peakMb = before.residentMb;
    while ((await waiting().execute()).length > 0) {
      peakMb = Math.max(peakMb, usageOf(service).residentMb);
      await sleep(100);
    }
    const seconds = (performance.now() - announcedMs) / 1_000;
    const after = usageOf(service);
    const cpuMs = after.cpuMs - before.cpuMs;
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    console.log(
      `${engine}: ${events} events announced in ${((announcedMs - startedMs) / 1_000).toFixed(2)} s; ` +
        `${ids.size} arrived (${receiver.received.length} requests) in ${seconds.toFixed(1)} s, ` +
        `${Math.round(events / seconds)} a second; ${(cpuMs / events).toFixed(2)} ms of processor time each; ` +
        `memory ${before.residentMb.toFixed(0)} MB before, ${peakMb.toFixed(0)} MB at most`,
    );
  } finally {
    await service.stop();
    await db.close();
    await receiver.close();
  }
}

/** The resource usage of the service's process, from /proc. */
function usageOf({ child }: Serving): { residentMb: number; cpuMs: number } {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const pages = Number(readFileSync(`/proc/${child.pid}/statm`, 'utf8').split(' ')[1]);
  // Ticks of a hundredth of a second; pages of 4 KB.
  return { residentMb: (pages * 4) / 1_024, cpuMs: (Number(fields[11]) + Number(fields[12])) * 10 };
}
