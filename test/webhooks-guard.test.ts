import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import { untilAnswer } from './eventually.ts';
import { realClock, type StartedApp, startApp } from './start-app.ts';
import { webhookClient } from './webhook-client.ts';
import { type Receiver, startReceiver } from './webhook-receiver.ts';

describe('webhooks to private addresses', () => {
  let dns: DnsServer;
  let receiver: Receiver;
  let started: StartedApp;
  before(async () => {
    receiver = await startReceiver();
    dns = await startDnsServer({
      'private.com': { A: ['10.0.0.5'] },
      'loopback.com': { A: ['127.0.0.1'], AAAA: ['::1'] },
    });
    const variables = { OFFLINE: 'false', DNS_SERVERS: dns.address, DNS_PROBE: 'off' };
    started = await startApp(variables, { clock: realClock(), maxJobPauseMs: 100 });
  });
  after(async () => {
    await started.close();
    await Promise.all([dns.close(), receiver.close()]);
  });

  const port = () => new URL(receiver.origin).port;
  const refused: readonly [what: string, url: () => string, host: string][] = [
    ['the address itself', () => receiver.url, '127.0.0.1'],
    ['its name', () => `http://localhost:${port()}/`, 'localhost'],
    ['IPv6', () => `http://[::1]:${port()}/`, '::1'],
    ['an IPv4 address in IPv6', () => `https://[::ffff:127.0.0.1]:${port()}/`, '::ffff:7f00:1'],
    ['another spelling of it', () => `https://2130706433:${port()}/`, '127.0.0.1'],
    ['a public name that resolves to a private address', () => 'https://private.com/', 'private.com'],
    ['a public name that resolves to loopback', () => `https://loopback.com:${port()}/`, 'loopback.com'],
    ['the metadata service of clouds', () => 'https://169.254.169.254/latest/', '169.254.169.254'],
  ];
  for (const [what, url, host] of refused) {
    it(`a webhook to a private address that the operator did not allow is not delivered: ${what}`, async () => {
      const client = webhookClient(started, (await started.createAccount()).keys.production);
      const { id } = await client.create({ url: 'https://receiver.example/' });
      // The endpoint rejects some of these when a webhook is created; this tests the guard at the delivery.
      await started.db.write.updateTable('webhooks').set({ url: url() }).where('id', '=', id).execute();
      assert.equal((await client.call('POST', `/v1/webhooks/${id}/test`)).status, 201);
      const [delivery] = await untilAnswer(
        () => client.deliveries(id),
        ([one]) => one?.state === 'failed',
      );
      const expected =
        host === 'localhost' ? /not a public address|DNS|has no address/ : `${host} is not a public address`;
      if (typeof expected === 'string') assert.equal(delivery?.error, expected);
      else assert.match(delivery?.error ?? '', expected);
      assert.deepEqual([receiver.received.length, await receiver.connections()], [0, 0]);
    });
  }
});
