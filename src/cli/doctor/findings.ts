import type { AllDiagnostics, Diagnostics } from '../../app/diagnostics.ts';
import { recallText } from '../../lists/expected-recall.ts';
import { version } from '../../version.ts';
import { error, type Finding, ok, warning } from './finding.ts';
import { judgeClients } from './judge-clients.ts';
import { bytesText, dateText, durationText } from './quantities.ts';

const dayMs = 86_400_000;
const gigabyte = 2 ** 30;
/** Lists that are a month old. */
const minRecall = 0.9;

/** Judges the state of a running service. Limits match the alert rules in `deploy/`. */
export function judgeService({ processes }: AllDiagnostics): Finding[] {
  const [first] = processes;
  if (first === undefined) return [error('Service', 'no process has answered', 'Look at the log of the service.')];
  return unique([
    ...judgeVersion(first),
    ...processes.flatMap(judgeDns),
    ...processes.flatMap(judgeLists),
    ...judgeDisk(first.disk),
    ...processes.flatMap(judgeStorage),
    ...judgeJobs(processes),
    ...judgeQueues(processes),
    ...processes.flatMap(judgeSecrets),
    ...processes.flatMap(judgeSecretKeys),
    ...judgeHooks(first),
    ...judgeClients(processes),
    ...judgeStages(processes),
  ]);
}

function judgeVersion(running: Diagnostics): Finding[] {
  if (running.version === version) return [];
  const text = `the service runs ${running.version}, this command is ${version}`;
  return [warning('Version', text, 'Restart the service after an upgrade.')];
}

export function judgeDns({ offline, dns }: Pick<Diagnostics, 'offline' | 'dns'>): Finding[] {
  if (offline) return [ok('DNS', 'not used (OFFLINE=true)')];
  const { servers, questions, failures } = dns;
  const names = (levels: readonly string[]) =>
    servers.filter(({ trust }) => levels.includes(trust)).map(({ server }) => server);
  const lying = names(['denying', 'inventing']);
  const unproven = names(['unproven']);
  const fix = 'Set DNS_SERVERS to resolvers that reach the internet; see docs/self-hosting.md, "DNS servers that lie".';
  if (servers.length > 0 && lying.length === servers.length) {
    return [error('DNS', `no server can be trusted: ${lying.join(', ')} answer the tests wrongly`, fix)];
  }
  if (servers.length > 0 && unproven.length === servers.length) {
    return [error('DNS', `no server has answered a test: ${unproven.join(', ')}`, fix)];
  }
  if (lying.length > 0) return [warning('DNS', `${lying.join(', ')} cannot be trusted and is not used`, fix)];
  if (questions >= 50 && failures / questions > 0.3) {
    return [warning('DNS', `${failures} of ${questions} queries failed since the start`, fix)];
  }
  return [ok('DNS', `${names(['trusted']).join(', ') || 'servers are not tested'}: answers can be trusted`)];
}

export function judgeLists({ at, lists }: Pick<Diagnostics, 'at' | 'lists'>): Finding[] {
  const update = 'Run `signalpost lists update`, or set LISTS_REFRESH=daily.';
  const problems = lists.download_problems.map(({ source, problem }) =>
    warning(
      'Lists',
      `${source} was not refreshed: ${problem}`,
      'Run `signalpost lists update` and look at its output.',
    ),
  );
  if (lists.built_at === null) return problems;
  const ageMs = Date.parse(at) - Date.parse(lists.built_at);
  const { expected_recall: recall } = lists;
  const built = `built ${durationText(ageMs)} ago${recall === null ? '' : `; ${recallText(recall)}`}`;
  if (ageMs > 30 * dayMs || (recall !== null && recall.share < minRecall))
    return [warning('Lists', built, update), ...problems];
  if (lists.old_sources.length === 0) return problems.length > 0 ? problems : [ok('Lists', built)];
  const fix = lists.refresh === 'off' ? update : 'A newer release of Signalpost may have newer ones.';
  return [warning('Lists', `older than 30 days: ${lists.old_sources.join(', ')}`, fix), ...problems];
}

export function judgeDisk(disk: Diagnostics['disk']): Finding[] {
  if (disk === null) return [error('Disk', 'DATA_DIR cannot be read', 'Check that it exists and who may read it.')];
  const { directory, free_bytes: free, total_bytes: total } = disk;
  const text = `${bytesText(free)} of ${bytesText(total)} free in ${directory}`;
  const fix = 'Free space, or move DATA_DIR to a larger disk. Writes answer 503 on a full disk.';
  if (free < gigabyte / 5 || free < total / 100) return [error('Disk', text, fix)];
  return [free < gigabyte || free < total / 20 ? warning('Disk', text, fix) : ok('Disk', text)];
}

function judgeStorage({ at, storage }: Diagnostics): Finding[] {
  const { engine, up, ping_ms: pingMs, database_bytes: bytes, log_bytes: logBytes, last_backup_at: backup } = storage;
  const name = engine === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  if (!up || pingMs === null) {
    return [error('Database', `${name} does not answer`, 'See "SignalpostStorageDown" in docs/runbook.md.')];
  }
  const findings: Finding[] = [];
  if (pingMs > 100) {
    const text = `${name} takes ${Math.round(pingMs)} ms for a small query`;
    findings.push(warning('Database', text, 'See "SignalpostStorageSlow" in docs/runbook.md.'));
  } else findings.push(ok('Database', `${name} answers${bytes === null ? '' : `, ${bytesText(bytes)}`}`));
  if (logBytes !== null && logBytes > gigabyte / 2) {
    const fix = 'See "SignalpostLogOfDatabaseLarge" in docs/runbook.md.';
    findings.push(warning('Database', `its write-ahead log takes ${bytesText(logBytes)}`, fix));
  }
  for (const [table, count] of Object.entries(storage.damaged_blocks)) {
    const text = `${count} damaged ${count === 1 ? 'block' : 'blocks'} of ${table} skipped since the start`;
    findings.push(warning('Database', text, 'The log names them and what is missing. Check the disk.'));
  }
  return engine === 'sqlite' ? [...findings, judgeBackup(backup, Date.parse(at))] : findings;
}

function judgeBackup(backup: string | null, atMs: number): Finding {
  const fix = 'Run `signalpost backup --keep 7 DIR` every day.';
  if (backup === null) return warning('Backup', 'there is none', fix);
  const ageMs = atMs - Date.parse(backup);
  const text = `made ${durationText(ageMs)} ago`;
  return ageMs > 2 * dayMs ? warning('Backup', text, fix) : ok('Backup', text);
}

type JobState = Diagnostics['jobs'][number];

function judgeJobs(processes: readonly Diagnostics[]): Finding[] {
  const all = processes.flatMap(({ at, jobs }) => jobs.map((job) => judgeJob(job, Date.parse(at))));
  const problems = all.filter((finding) => finding !== null);
  return problems.length > 0 || all.length === 0 ? problems : [ok('Jobs', `${all.length} run on schedule`)];
}

/** A few missed runs are late; the extra minutes are for short intervals on a busy machine. */
const lateRuns = 3;
const lateGraceMs = 2 * 60_000;

function judgeJob(job: JobState, atMs: number): Finding | null {
  const succeeded = job.last_success_at === null ? 'never since the start' : `last on ${dateText(job.last_success_at)}`;
  const fix = 'Look for its name in the log; it is retried on schedule.';
  if (job.failures_in_a_row > 0) {
    const text = `${job.name} failed ${times(job.failures_in_a_row)} in a row (succeeded ${succeeded}): ${job.last_error}`;
    return job.failures_in_a_row >= lateRuns ? error('Jobs', text, fix) : warning('Jobs', text, fix);
  }
  const lastMs = Date.parse(job.last_success_at ?? job.started_at);
  const isLate = atMs - lastMs > lateRuns * job.every_seconds * 1_000 + lateGraceMs;
  if (!isLate || job.runs_elsewhere) return null;
  return error(
    'Jobs',
    `${job.name} should run every ${durationText(job.every_seconds * 1_000)}; succeeded ${succeeded}`,
    fix,
  );
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

function judgeQueues(processes: readonly Diagnostics[]): Finding[] {
  const late = Math.max(...processes.map(({ webhooks_late_seconds: seconds }) => seconds));
  const waiting = processes.flatMap(({ unwritten }) => Object.entries(unwritten));
  const problems = waiting
    .filter(([, count]) => count > 5_000)
    .map(([what, count]) =>
      warning('Queues', `${count} ${what} wait to be written`, 'See "SignalpostWritesWait" in docs/runbook.md.'),
    );
  if (late > 60) {
    const fix = 'See "SignalpostWebhooksLate" in docs/runbook.md.';
    problems.push(warning('Queues', `webhooks are sent ${durationText(late * 1_000)} late`, fix));
  }
  const total = waiting.reduce((sum, [, count]) => sum + count, 0);
  return problems.length > 0 ? problems : [ok('Queues', `${total} entries wait to be written, webhooks are on time`)];
}

function judgeSecrets({ webhook_secrets_unreadable: unreadable }: Diagnostics): Finding[] {
  if (unreadable === null || unreadable === 0) return [];
  const text = `cannot decrypt the secrets of ${unreadable === 1 ? 'one webhook' : `${unreadable} webhooks`}, so deliveries fail`;
  const fix = 'Set SECRET_KEY, or restore secret.key in DATA_DIR, and restart; or rotate the secrets.';
  return [error('Webhooks', text, fix)];
}

function judgeSecretKeys({ secret_keys_differ: differ }: Diagnostics): Finding[] {
  if (!differ) return [];
  const text =
    'another instance uses this database with a different SECRET_KEY, so webhook deliveries and hook calls fail';
  return [error('Instances', text, 'Set one SECRET_KEY on every instance and restart it.')];
}

/** The counts are in the database: every process reports the same. */
function judgeHooks({ hooks_failing: failing }: Diagnostics): Finding[] {
  return (failing ?? []).map(({ id, name, rejected, unavailable, last_error: reason }) => {
    const counts = [
      ...(rejected > 0 ? [`${calls(rejected)} rejected`] : []),
      ...(unavailable > 0 ? [`${calls(unavailable)} not decided`] : []),
    ];
    const text = `hook "${name}" (${id}): ${counts.join(', ') || 'the last call failed'}, ${reason}`;
    return warning('Hooks', text, 'See docs/hooks.md, "When calls fail".');
  });
}

const calls = (count: number): string => (count === 1 ? '1 call' : `${count} calls`);

/** The remedy when requests wait in a stage. */
const stageFixes: Readonly<Record<string, string>> = {
  queue:
    'The process is short of CPU, or something blocks it: set WORKERS, or see "SignalpostStalls" in docs/runbook.md.',
  admit: 'Keys and limits wait for the database or Redis: check their latency.',
  body: 'Clients send their bodies slowly: nothing to do here.',
  meter: 'Gates and credits wait for the database: check its latency.',
  facts:
    'DNS or registries answer slowly: check DNS_SERVERS and DNS_DEADLINE_MS. Clients that send `wait` ask for this.',
  decide: 'Gates are expensive: shorten their regular expressions; a trace shows the cost of each.',
  work: 'The database answers slowly, or the operation reads much: check its latency.',
  answer: 'The process is short of CPU: set WORKERS.',
};

function judgeStages(processes: readonly Diagnostics[]): Finding[] {
  const slow = processes
    .flatMap(({ requests }) => requests.stages)
    .filter(({ count, slow }) => count >= 20 && slow / count > 0.05)
    .map(({ operation, stage, count, slow }) =>
      warning('Requests', `${operation}: ${slow} of ${count} took over 250 ms in "${stage}"`, stageFixes[stage] ?? ''),
    );
  return slow.length > 0 ? slow : [ok('Requests', 'no stage is slow')];
}

/** Processes of one instance find the same. */
function unique(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}
