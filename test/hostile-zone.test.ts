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
const concurrency = 20;
const bytesPerDomain = 10_000;
/** Memory that a process allocates temporarily while it works. */
const workingBytes = 60_000_000;
/** Includes memory that the process will use again and does not return to the system. */
const maxResidentBytes = 200_000_000;

/** Lookups and decisions for hundreds of domains, each with a thousand long mail hosts. */
describe('a hostile DNS zone', () => {
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
      // Without bounds, each would take more than a megabyte.
      NODE_OPTIONS: '--max-old-space-size=256',
    });
  });
  after(async () => {
    await service.stop();
    await dns.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const memory = async (): Promise<{ heap: number; resident: number }> => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    const bytesOf = (name: string): number => Number(new RegExp(`^signalpost_${name} (\\S+)$`, 'm').exec(text)?.[1]);
    return { heap: bytesOf('nodejs_heap_size_used_bytes'), resident: bytesOf('process_resident_memory_bytes') };
  };
  const databaseBytes = (): number =>
    readdirSync(dataDir, { withFileTypes: true })
      .filter((file) => file.isFile() && /\.(?:db|sqlite)/.test(file.name))
      .reduce((total, { name }) => total + statSync(join(dataDir, name)).size, 0);

  it('a hostile DNS zone takes at most ten kilobytes of memory and of disk per domain, and 200 MB of resident memory', async () => {
    const gate = await service.call<{ data: { id: string } }>('POST', '/v1/gates', { name: 'Sign-up' });
    const decisions = `/v1/gates/${gate.data.id}/decisions`;
    const before = { ...(await memory()), database: databaseBytes() };
    type Found = { mx: boolean; mx_records: { hostname: string }[] };
    const visit = async (domain: string): Promise<void> => {
      const { mx, mx_records } = await service.call<Found>('GET', `/domain/${domain}`);
      assert.deepEqual([mx, mx_records.length, mx_records[0]?.hostname.length], [true, 30, hostLength]);
      await service.call('POST', decisions, { domain });
    };
    for (let first = 0; first < domains; first += concurrency) {
      await Promise.all(Array.from({ length: concurrency }, (_, index) => visit(`d${first + index}.hostile.net`)));
    }
    await eventually(async () => {
      const last = await service.call<{ data: unknown[] }>('GET', `${decisions}?domain=d${domains - 1}.hostile.net`);
      assert.equal(last.data.length, 1);
    });
    const after = await memory();
    const heap = after.heap - before.heap;
    assert.ok(heap <= domains * bytesPerDomain + workingBytes, `heap: ${heap}`);
    const resident = after.resident - before.resident;
    assert.ok(resident <= maxResidentBytes, `resident: ${resident}`);
    // A stop checkpoints the write-ahead log, whose size depends on the time of its last checkpoint.
    await service.stop();
    const database = databaseBytes() - before.database;
    assert.ok(database > 0 && database <= domains * bytesPerDomain, `database: ${database}`);
  });
});
