import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { eventually } from '../test/eventually.ts';
import { startApp } from '../test/start-app.ts';
import { startTestServer } from '../test/test-server.ts';
import { createThrottledLog, logSettings } from './log.ts';

/** A production log that writes to memory. */
function memoryLog() {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { log: pino(logSettings('trace'), stream), lines };
}

const address = 'jane.private@example.com';
const forgedName = 'x\n{"level":60,"msg":"forged"}';

describe('the log', () => {
  const program =
    "const { createLog } = await import('./src/log.ts'); createLog({ level: 'info', isTerminal: process.stderr.isTTY }).info('ready')";
  const node = `'${process.execPath}' --input-type=module -e "${program}"`;
  const written = (command: string, env = {}): string =>
    execFileSync('sh', ['-c', command], { encoding: 'utf8', env: { PATH: process.env.PATH, TERM: 'xterm', ...env } });

  it('the log is readable text on a terminal, in colour unless NO_COLOR is set, and JSON in a pipe', () => {
    const onTerminal = `script -qec '${node.replaceAll("'", "'\\''")}' /dev/null`;
    assert.match(written(onTerminal), /\u001b\[32mINFO\u001b.*ready/);
    assert.match(written(onTerminal, { NO_COLOR: '1' }), /INFO: ready\r?\n$/);
    assert.equal(JSON.parse(written(`${node} 2>&1`)).msg, 'ready');
  });

  it('the log never contains a key or an address, also when requests fail [Q9]', async () => {
    const { log, lines } = memoryLog();
    const started = await startApp({ ALLOW_KEY_IN_QUERY: 'true' }, { log });
    const key = started.keys.production;
    const wrongKey = 'a-key-that-does-not-exist';
    for (const path of [
      `/email/${address}`,
      `/domain/${address}`,
      `/status?key=${key}`,
      `/nowhere/${address}`,
      '/%zz',
    ]) {
      for (const options of [{}, { key }, { key: wrongKey }, { headers: { authorization: key } }]) {
        for (const method of ['GET', 'POST', 'DELETE'] as const) await started.request(method, path, options);
      }
    }
    await started.request('POST', '/v1/gates/x/decisions', { key, body: { email: address } });
    await started.request('GET', `/domain/${encodeURIComponent(forgedName)}`, { key });
    await started.close();
    for (const secret of [key, wrongKey, 'jane.private', 'forged']) {
      assert.ok(!lines.join('').includes(secret), `${secret} is in the log`);
    }
  });

  it('the log contains the failure of a request with its id, but neither its key nor its path', async () => {
    const { log, lines } = memoryLog();
    const made = await startTestServer({ log });
    const key = await made.createKey();
    const { headers } = await made.request('GET', `/domain/broken?email=${address}`, { key });
    await made.close();
    const entries = lines.map((line) => JSON.parse(line));
    assert.equal(entries.length, 1);
    assert.equal(entries[0].requestId, headers['x-request-id']);
    assert.equal(entries[0].operation, 'testLookup');
    assert.match(entries[0].err.stack, /could not handle/);
    assert.ok(!lines.join('').includes(key) && !lines.join('').includes('jane.private'));
  });

  it('the log redacts fields that are named like a secret, at any depth', () => {
    const { log, lines } = memoryLog();
    log.info({ key: 'secret', email: 'secret', request: { key: 'secret', email: 'secret', authorization: 'secret' } });
    log.info({ headers: { authorization: 'secret' } });
    assert.doesNotMatch(lines.join(''), /secret/);
    assert.match(lines.join(''), /\[hidden\]/);
  });

  it('the log writes each entry on one line, whatever it contains [Q11]', () => {
    const { log, lines } = memoryLog();
    log.warn({ name: forgedName }, forgedName);
    assert.equal(lines.join('').trimEnd().split('\n').length, 1);
  });
});

describe('the access log', () => {
  it('the access log, when enabled, has a line per response with caller and operation, and no path', async () => {
    const { log, lines } = memoryLog();
    const made = await startTestServer({ log, accessLog: true });
    const key = await made.createKey();
    const own = '01JCX5S1V0ABCDEFGHJKMNPQRS';
    await made.request('GET', '/domain/fine', { key, headers: { 'x-request-id': own } });
    await made.request('GET', '/domain/fine');
    await made.request('GET', '/v0/nowhere?key=a-secret', { key });
    const answered = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered');
    assert.deepEqual(
      answered.map(({ operation, status }) => [operation, status]),
      [
        ['testLookup', 200],
        ['testLookup', 401],
        ['unknown', 404],
      ],
    );
    const [first, second] = answered;
    assert.equal(first.requestId, own);
    assert.ok(first.ms >= 0 && first.account !== '' && first.keyId !== '');
    assert.deepEqual([second.account, second.keyId], [null, null]);
    assert.doesNotMatch(lines.join(''), /fine|nowhere|a-secret/);
    await made.close();
  });

  it('the access log is empty unless enabled', async () => {
    const { log, lines } = memoryLog();
    const made = await startTestServer({ log });
    await made.request('GET', '/domain/fine', { key: await made.createKey() });
    assert.deepEqual(lines, []);
    await made.close();
  });
});

describe('createThrottledLog', () => {
  it('the throttled log writes the first line of a cause immediately and then counts repetitions', async () => {
    const { log, lines } = memoryLog();
    const throttled = createThrottledLog(log, 50);
    for (let index = 0; index < 100; index += 1) throttled('error', 'one', { index }, 'failed');
    throttled('error', 'two', {}, 'another failure');
    assert.equal(lines.length, 2);
    await eventually(async () => assert.equal(lines.length, 3));
    const { index, count, msg } = JSON.parse(lines[2] ?? '');
    assert.deepEqual([index, count, msg], [99, 99, 'failed']);
  });

  it('the throttled log merges all causes beyond twenty', () => {
    const { log, lines } = memoryLog();
    const throttled = createThrottledLog(log);
    for (let index = 0; index < 1_000; index += 1) throttled('error', `cause ${index}`, {}, 'failed');
    assert.equal(lines.length, 21);
  });
});
