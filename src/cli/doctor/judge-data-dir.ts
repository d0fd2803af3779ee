import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { diskSpace, downloadProblems } from '../../app/diagnostics.ts';
import type { Config } from '../../config.ts';
import { knownIds } from '../../db/migrate.ts';
import { allMigrations } from '../../db/migrations/all.ts';
import { checkDatabaseFile } from '../../db/sqlite/sqlite-file.ts';
import { errorMessage } from '../../error-message.ts';
import { createDns } from '../../net/dns/dns.ts';
import { error, type Finding, ok, warning } from './finding.ts';
import { judgeDisk, judgeDns, judgeLists } from './findings.ts';

const connectMs = 3_000;
const dnsTestMs = 5_000;

/** Runs the checks that need no running service; changes nothing. */
export async function judgeDataDir(config: Config): Promise<Finding[]> {
  const at = new Date().toISOString();
  return [
    ...(await testDns(config)),
    ...judgeLists({
      at,
      lists: { built_at: null, expected_recall: null, old_sources: [], ...downloadProblems(config) },
    }),
    ...judgeDisk(await diskSpace(config.dataDir)),
    config.databaseUrl === null ? checkFile(config.dataDir) : await checkServer(new URL(config.databaseUrl)),
  ];
}

/** Waits until each DNS server has passed or failed its tests. */
async function testDns({ dnsServers, offline, dnsMustExist }: Config): Promise<Finding[]> {
  const dns = createDns({ servers: dnsServers, offline, now: Date.now, mustExist: dnsMustExist });
  try {
    const deadlineMs = performance.now() + dnsTestMs;
    const isTesting = () => dns.serverTrust().some(({ trust }) => trust === 'unproven');
    while (isTesting() && performance.now() < deadlineMs) await sleep(50);
    return judgeDns({ offline, dns: { servers: dns.serverTrust(), questions: 0, failures: 0 } });
  } finally {
    dns.close();
  }
}

function checkFile(dataDir: string): Finding {
  const file = join(dataDir, 'signalpost.db');
  if (!existsSync(file)) return warning('Database', `there is none in ${dataDir}`, 'The first start creates it.');
  try {
    checkDatabaseFile(file, knownIds(allMigrations));
    return ok('Database', `${file} can be used`);
  } catch (problem) {
    return error('Database', errorMessage(problem), 'Restore a backup; see docs/self-hosting.md.');
  }
}

async function checkServer({ hostname, port }: URL): Promise<Finding> {
  const socket = connect({ host: hostname, port: Number(port || 5_432) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(connectMs) });
    return ok('Database', `PostgreSQL accepts connections at ${hostname}`);
  } catch (problem) {
    const text = `no connection to PostgreSQL at ${hostname}: ${errorMessage(problem)}`;
    return error('Database', text, 'See "SignalpostStorageDown" in docs/runbook.md.');
  } finally {
    socket.destroy();
  }
}
