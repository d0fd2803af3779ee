import assert from 'node:assert/strict';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import { temporaryDirectory } from './engines.ts';
import { eventually } from './eventually.ts';
import { hostileZone, hostLength } from './hostile-zone.ts';
import { type Serving, serveSignalpost } from './signalpost-process.ts';

const domains = 400;
const atOnce = 20;
const bytesADomain = 10_000;
/** What a process takes and gives back while it works, whatever it keeps. */
const workingBytes = 60_000_000;

/** Hundreds of domains of a zone with a thousand long mail hosts each, looked up and decided about. */
describe('a zone made to fill memory and disk', () => {
  const dataDir = temporaryDirectory();
  let dns: DnsServer;
  let service: Serving;
  before(async () => {
    dns = await startDnsServer({});
    for (const name of ['com', 'net', 'org']) dns.behave(name, 'normal');
    dns.behave('*', hostileZone('hostile.net'));
    service = await serveSignalpost({
      OFFLINE: 'false',
      DNS_SERVERS: dns.address,
      DNS_DEADLINE_MS: '20000',
      DATA_DIR: dataDir,
      // Without bounds they take more than a megabyte each.
      NODE_OPTIONS: '--max-old-space-size=256',
    });
  });
  after(async () => {
    await service.stop();
    await dns.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const heapBytes = async (): Promise<number> => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return Number(/^signalpost_nodejs_heap_size_used_bytes (\S+)$/m.exec(text)?.[1]);
  };
  const databaseBytes = (): number =>
    readdirSync(dataDir, { withFileTypes: true })
      .filter((file) => file.isFile() && /\.(?:db|sqlite)/.test(file.name))
      .reduce((total, { name }) => total + statSync(join(dataDir, name)).size, 0);

  it('a zone made to fill memory and disk takes no more than ten kilobytes a domain of either', async () => {
    const gate = await service.call<{ data: { id: string } }>('POST', '/v1/gates', { name: 'Sign-up' });
    const decisions = `/v1/gates/${gate.data.id}/decisions`;
    const before = { heap: await heapBytes(), database: databaseBytes() };
    type Found = { mx: boolean; mx_records: { hostname: string }[] };
    const visit = async (domain: string): Promise<void> => {
      const { mx, mx_records } = await service.call<Found>('GET', `/domain/${domain}`);
      assert.deepEqual([mx, mx_records.length, mx_records[0]?.hostname.length], [true, 30, hostLength]);
      await service.call('POST', decisions, { domain });
    };
    for (let first = 0; first < domains; first += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, (_, index) => visit(`d${first + index}.hostile.net`)));
    }
    await eventually(async () => {
      const last = await service.call<{ data: unknown[] }>('GET', `${decisions}?domain=d${domains - 1}.hostile.net`);
      assert.equal(last.data.length, 1);
    });
    const heap = (await heapBytes()) - before.heap;
    assert.ok(heap <= domains * bytesADomain + workingBytes, `heap: ${heap}`);
    // A stop brings the write-ahead log home, whose size follows from when it is emptied and not from what is kept.
    await service.stop();
    const database = databaseBytes() - before.database;
    assert.ok(database > 0 && database <= domains * bytesADomain, `database: ${database}`);
  });
});
