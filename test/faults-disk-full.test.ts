import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { requireProgram } from '../scripts/programs.ts';
import { openDatabase } from '../src/db/db.ts';
import { temporaryDirectory } from './engines.ts';
import { eventually } from './eventually.ts';
import { missingService } from './services.ts';
import { type Serving, serveSignalpost } from './signalpost-process.ts';

const skip = await missingService(async () => requireProgram('prlimit'));

describe('a service whose disk is full', { skip }, () => {
  const env = { DATA_DIR: temporaryDirectory() };
  let service: Serving;
  let gate: string;
  const acknowledged: string[] = [];
  before(async () => {
    service = await serveSignalpost(env);
    gate = (await call<{ data: { id: string } }>('POST', '/v1/gates', { name: 'Signup' })).json.data.id;
    assert.equal((await add('before.example')).status, 201);
    await lookup('before.example');
  });
  after(() => service.stop());

  const call = async <T = unknown>(method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${service.keys.production}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, json: (await answer.json()) as T };
  };
  const lookup = (domain: string) => call<{ blocklisted: boolean }>('GET', `/domain/${domain}`);
  const add = async (domain: string) => {
    const answer = await call('POST', '/blocklist', { domain });
    if (answer.status === 201) acknowledged.push(domain);
    return answer;
  };
  /** Limits the size of the process's files, which has the effect of a full disk for this process only. */
  const limitFiles = (bytes: string) =>
    execFileSync('prlimit', [`--pid=${service.child.pid}`, `--fsize=${bytes}:unlimited`]);
  let charged = 0;

  it('a service whose disk is full answers every write with 503 and no Retry-After [Q43]', async () => {
    limitFiles('4096');
    const writes = [
      ['POST', '/blocklist', { domain: 'during.example' }],
      ['POST', '/blocklist/bulk', { domains: ['during.example', 'during-too.example'] }],
      ['DELETE', '/blocklist/before.example'],
      ['POST', '/v1/gates', { name: 'During' }],
      ['PATCH', `/v1/gates/${gate}`, { name: 'During' }],
    ] as const;
    for (const [method, path, body] of writes) {
      const { status, headers } = await call(method, path, body);
      assert.equal(status, 503, `${method} ${path}`);
      assert.equal(headers.get('retry-after'), null);
    }
  });

  it('a service whose disk is full still answers lookups, decisions, reads and readiness with 200, although it cannot write counts [Q44]', async () => {
    const deadlineMs = Date.now() + 20_000;
    // At least until a flush of the counts was attempted and failed.
    for (let round = 0; round < 30 || !/used credits are not written yet/.test(service.stderr()); round += 1) {
      assert.ok(Date.now() < deadlineMs, 'no write was attempted');
      for (const [domain, listed] of [
        ['before.example', true],
        [`other-${round}.example`, false],
      ] as const) {
        const { status, json } = await lookup(domain);
        assert.deepEqual([status, json.blocklisted], [200, listed]);
      }
      assert.equal((await call('POST', `/v1/gates/${gate}/decisions`, { domain: 'before.example' })).status, 200);
      charged += 3;
    }
    assert.equal((await call('GET', '/blocklist')).status, 200);
    assert.equal((await call('GET', '/status')).status, 200);
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
    assert.equal(service.child.exitCode, null);
  });

  it('a service whose disk was full accepts writes once there is space, and has lost nothing acknowledged or charged [Q45]', async () => {
    limitFiles('unlimited');
    await eventually(async () => assert.equal((await add('after.example')).status, 201));
    const { json } = await call<{ usage: { current: number } }>('GET', '/status');
    // Includes the first lookup.
    assert.equal(json.usage.current, charged + 1);
    assert.equal((await service.stop()).code, 0);
    const db = await openDatabase({ url: null, dataDir: env.DATA_DIR });
    const listed = await db.read.selectFrom('blocklist_entries').select('domain').orderBy('seq').execute();
    assert.deepEqual(
      listed.map(({ domain }) => domain),
      acknowledged,
    );
    assert.equal((await db.read.selectFrom('usage').select('used').executeTakeFirst())?.used, charged + 1);
    assert.equal((await db.read.selectFrom('decisions').select('id').execute()).length, charged / 3);
    await db.close();
  });
});
