import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { startMadeUpServer } from '../test/made-up-server.ts';
import { startApp } from '../test/start-app.ts';
import { logSettings } from './log.ts';

/** A log as in production, kept in memory. */
function keptLog() {
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
const strangeName = 'x\n{"level":60,"msg":"forged"}';

describe('the log', () => {
  it('never holds a key or an address, also when requests fail [Q9]', async () => {
    const { log, lines } = keptLog();
    const started = await startApp({ ALLOW_KEY_IN_QUERY: 'true' }, { log });
    const key = started.keys.production;
    const wrongKey = 'a-key-that-nobody-has-yet';
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
    await started.request('GET', `/domain/${encodeURIComponent(strangeName)}`, { key });
    await started.close();
    for (const secret of [key, wrongKey, 'jane.private', 'forged']) {
      assert.ok(!lines.join('').includes(secret), `${secret} is in the log`);
    }
  });

  it('holds the failure of a request with its id, and neither its key nor its path', async () => {
    const { log, lines } = keptLog();
    const made = await startMadeUpServer({ log });
    const key = await made.createKey();
    const { headers } = await made.request('GET', `/domain/broken?email=${address}`, { key });
    await made.close();
    const entries = lines.map((line) => JSON.parse(line));
    assert.equal(entries.length, 1);
    assert.equal(entries[0].requestId, headers['x-request-id']);
    assert.equal(entries[0].operation, 'madeUpLookup');
    assert.match(entries[0].err.stack, /could not handle/);
    assert.ok(!lines.join('').includes(key) && !lines.join('').includes('jane.private'));
  });

  it('hides what is under the name of a secret, wherever it was put', () => {
    const { log, lines } = keptLog();
    log.info({ key: 'secret', email: 'secret', request: { key: 'secret', email: 'secret', authorization: 'secret' } });
    log.info({ headers: { authorization: 'secret' } });
    assert.doesNotMatch(lines.join(''), /secret/);
    assert.match(lines.join(''), /\[hidden\]/);
  });

  it('keeps one entry to one line, whatever is in it [Q11]', () => {
    const { log, lines } = keptLog();
    log.warn({ name: strangeName }, strangeName);
    assert.equal(lines.join('').trimEnd().split('\n').length, 1);
  });
});
