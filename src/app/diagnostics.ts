import { statfs } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { readDownloads } from '../console/adapters/list-status-body.ts';
import type { Db } from '../db/db.ts';
import type { StorageFeature } from '../db/feature.ts';
import { lookAtStorage } from '../db/storage-metrics.ts';
import type { HooksFeature } from '../hooks/feature.ts';
import type { RequestDiagnostics } from '../http/timing/request-metrics.ts';
import type { Knowledge } from '../knowledge/feature.ts';
import { expectedRecall } from '../lists/expected-recall.ts';
import { isOldEdition } from '../lists/old-editions.ts';
import type { LookupsFeature } from '../lookups/feature.ts';
import type { Dns } from '../net/dns/dns.ts';
import type { JobStatus } from '../platform/jobs.ts';
import { version } from '../version.ts';
import type { WebhooksFeature } from '../webhooks/feature.ts';

/** The state of one process of the service, as `/diagnostics` shows it and `signalpost doctor` judges it. */
export type Diagnostics = Awaited<ReturnType<ReturnType<typeof createDiagnose>>> & {
  readonly requests: RequestDiagnostics;
};

/** The response of `/diagnostics`. */
export interface AllDiagnostics {
  readonly processes: readonly Diagnostics[];
}

/** Where the state is read from. */
export interface DiagnoseParts {
  readonly config: Config;
  readonly db: Db;
  readonly knowledge: Pick<Knowledge, 'lists' | 'editions' | 'network'>;
  /** Entries that wait to be written, by kind. */
  readonly unwritten: () => Readonly<Record<string, number>>;
  readonly webhooks: Pick<WebhooksFeature, 'lateMs' | 'unreadableSecrets'>;
  readonly hooks: Pick<HooksFeature, 'troubled'>;
  readonly mxCounts: LookupsFeature['mxCounts'];
  readonly secretKeysDiffer: StorageFeature['secretKeysDiffer'];
  readonly jobs: () => readonly JobStatus[];
  readonly now: () => number;
}

/** Reads the state of this process. */
export function createDiagnose(parts: DiagnoseParts) {
  const { config, db, knowledge, unwritten, webhooks, jobs, now } = parts;
  return async () => ({
    version,
    pid: process.pid,
    at: iso(now()),
    started_at: iso(now() - process.uptime() * 1_000),
    offline: config.offline,
    dns: dnsState(knowledge.network.dns),
    /** Answered lookups since the start. */
    lookups_mx: { ...parts.mxCounts },
    dns_deadline_ms: config.dnsDeadlineMs,
    lists: {
      built_at: knowledge.lists.builtAt as string | null,
      expected_recall: expectedRecall(knowledge.editions.all(), now()),
      old_sources: knowledge.editions.all().flatMap(({ name, date }) => (isOldEdition(date, now()) ? [name] : [])),
      ...downloadProblems(config),
    },
    storage: await storageState(db),
    disk: await diskSpace(config.dataDir),
    unwritten: unwritten(),
    webhooks_late_seconds: webhooks.lateMs() / 1_000,
    webhook_secrets_unreadable: await unreadableSecrets(webhooks),
    hooks_failing: await failingHooks(parts.hooks),
    secret_keys_differ: parts.secretKeysDiffer(),
    jobs: jobs().map((job) => ({
      name: job.name,
      every_seconds: job.everyMs / 1_000,
      runs: job.runs,
      failures: job.failures,
      failures_in_a_row: job.failuresInARow,
      started_at: iso(job.startedAtMs),
      /** Another process holds the lease of the job. */
      runs_elsewhere: job.runsElsewhere,
      last_success_at: job.lastSuccessAtMs === null ? null : iso(job.lastSuccessAtMs),
      last_duration_ms: job.lastDurationMs,
      last_error: job.lastError,
    })),
  });
}

function dnsState(dns: Dns) {
  const { questions, failures } = dns.metrics();
  return { servers: dns.serverTrust(), questions, failures };
}

/** The last problem of each list source that is switched on. */
export function downloadProblems(config: Config) {
  const enabled = readDownloads(config).filter(({ source }) => source.enabled);
  return {
    refresh: config.listsRefresh,
    download_problems: enabled.flatMap(({ source, state }) =>
      state.problem === null ? [] : [{ source: source.name, problem: state.problem }],
    ),
  };
}

/** Space on the disk of a directory; null when the directory cannot be read. */
export async function diskSpace(directory: string) {
  try {
    const { bavail, blocks, bsize } = await statfs(directory);
    return { directory, free_bytes: bavail * bsize, total_bytes: blocks * bsize };
  } catch {
    // The finding is that the directory cannot be read; the reason does not change what to do.
    return null;
  }
}

/** Null while the storage is unavailable. */
async function unreadableSecrets(webhooks: DiagnoseParts['webhooks']): Promise<number | null> {
  try {
    return await webhooks.unreadableSecrets();
  } catch {
    // `storage` shows that it does not answer.
    return null;
  }
}

/** Hooks whose last call failed; null while the storage is unavailable. */
async function failingHooks(hooks: DiagnoseParts['hooks']) {
  try {
    const troubled = await hooks.troubled();
    return troubled.map(({ lastError, ...counts }) => ({ ...counts, last_error: lastError }));
  } catch {
    // `storage` shows that it does not answer.
    return null;
  }
}

async function storageState(db: Db) {
  const { up, pingSeconds, sizes, backupAtMs } = await lookAtStorage(db);
  return {
    engine: db.engine,
    up: up === 1,
    ping_ms: pingSeconds === undefined ? null : pingSeconds * 1_000,
    database_bytes: sizes?.databaseBytes ?? null,
    log_bytes: sizes?.logBytes ?? null,
    last_backup_at: typeof backupAtMs === 'number' ? iso(backupAtMs) : null,
    /** How many blocks were skipped, by table. */
    damaged_blocks: db.damagedBlocks.counts(),
  };
}

const iso = (epochMs: number): string => new Date(epochMs).toISOString();
