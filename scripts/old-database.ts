import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/*
 * Creates the database of a released version as SQL text, for the upgrade tests:
 *
 *   git worktree add /tmp/released 8c1d35a && (cd /tmp/released && npm ci)
 *   node scripts/old-database.ts /tmp/released test/upgrade/0.1.0.sql
 */

const [checkout, out] = process.argv.slice(2);
if (checkout === undefined || out === undefined) throw new Error('usage: old-database.ts CHECKOUT OUT.sql');
const dataDir = mkdtempSync(join(tmpdir(), 'signalpost-old-'));
const service = spawn(process.execPath, [join(checkout, 'bin', 'signalpost.js'), 'serve', '--json'], {
  env: { PATH: process.env.PATH, OFFLINE: 'true', PORT: '0', DATA_DIR: dataDir },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [line] = await once(service.stdout.setEncoding('utf8'), 'data');
const { address, keys } = JSON.parse(line) as { address: string; keys: { environment: string; key: string }[] };
const key = keys.find(({ environment }) => environment === 'production')?.key ?? '';
try {
  await use(address, key);
} finally {
  service.kill();
}
await once(service, 'exit');
writeFileSync(out, `-- key: ${key}\n${dump(join(dataDir, 'signalpost.db'))}`);
rmSync(dataDir, { recursive: true });

/** Makes requests so that the service writes a row into every table that requests can reach. */
async function use(address: string, key: string): Promise<void> {
  const send = async (method: string, path: string, body?: unknown): Promise<{ data?: { id: string } }> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(address + path, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    const text = await answer.text();
    return text === '' ? {} : JSON.parse(text);
  };
  const domains = Array.from({ length: 300 }, (_, index) => `blocked-${index}.example`);
  await send('POST', '/blocklist/bulk', { domains });
  await send('DELETE', '/blocklist/blocked-7.example');
  const rule = {
    name: 'Disposable',
    action: 'block',
    conditions: [{ field: 'email.disposable', operator: 'equals', value: true }],
  };
  const gate = await send('POST', '/v1/gates', { name: 'Sign-up', default_action: 'allow' });
  await send('POST', `/v1/gates/${gate.data?.id}/rules`, rule);
  const removed = await send('POST', '/v1/gates', { name: 'Removed', default_action: 'allow' });
  for (const email of ['jane@example.com', 'joe@mailinator.com']) {
    await send('POST', `/v1/gates/${gate.data?.id}/decisions`, { email });
  }
  await send('DELETE', `/v1/gates/${removed.data?.id}`);
  await send('GET', '/domain/example.com');
}

/** The content of the file as statements in executable order. */
function dump(file: string): string {
  using database = new DatabaseSync(file);
  // The service was offline, so it learnt no fact.
  database.exec(`insert into facts values ('example.com', 'spf', '"strict"', 'dns', ${Date.now()})`);
  const parts = database
    .prepare("select type, name, sql from sqlite_master where sql is not null and name not like 'sqlite_%'")
    .all() as { type: string; name: string; sql: string }[];
  const tables = parts.filter(({ type }) => type === 'table');
  const others = parts.filter(({ type }) => type !== 'table');
  const rows = [...tables.map(({ name }) => name), 'sqlite_sequence'].flatMap((table) =>
    database
      .prepare(`select * from "${table}"`)
      .all()
      .map((row) => `insert into "${table}" values (${Object.values(row).map(literal).join(', ')})`),
  );
  return [...tables.map(({ sql }) => sql), ...rows, ...others.map(({ sql }) => sql)]
    .map((statement) => `${statement.replaceAll(/\s*\n\s*/g, ' ')};\n`)
    .join('');
}

function literal(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}
