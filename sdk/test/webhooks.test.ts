import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { temporaryDirectory } from '../../test/engines.ts';
import { until } from '../../test/eventually.ts';
import { type Serving, serveSignalpost } from '../../test/signalpost-process.ts';
import { type Received, type Receiver, startReceiver } from '../../test/webhook-receiver.ts';
import { Signalpost, WebhookVerificationError } from '../src/index.ts';
import { thrownBy } from './client.ts';

describe('webhooks of a real service', () => {
  const dataDir = temporaryDirectory();
  let receiver: Receiver;
  let service: Serving;
  let client: Signalpost;
  before(async () => {
    receiver = await startReceiver();
    service = await serveSignalpost({ DATA_DIR: dataDir, OUTBOUND_ALLOW: receiver.origin });
    client = new Signalpost({ apiKey: service.keys.production, baseUrl: service.url });
  });
  after(async () => {
    await service.stop();
    await receiver.close();
    rmSync(dataDir, { recursive: true });
  });

  /** Has a test sent and waits until it has arrived. */
  const arrived = async (webhookId: string): Promise<Received> => {
    const before = receiver.received.length;
    await client.webhooks.test(webhookId);
    await until(() => receiver.received.length > before);
    const last = receiver.received.at(-1);
    assert.ok(last !== undefined);
    return last;
  };

  for (const format of ['standard', 'usercheck'] as const) {
    test(`webhooks of a real service in the format ${format} are accepted with their secret and no other [C17]`, async () => {
      const { id, secret } = await client.webhooks.create({ url: receiver.url, events: ['credits.threshold'], format });
      const delivery = await arrived(id);
      const event = await client.webhooks.verify({ ...delivery, secret });
      assert.equal(event.type, 'webhook.test');
      const { secret: other } = await client.webhooks.create({ url: receiver.url, events: ['gate.decision'] });
      const refused = await thrownBy(client.webhooks.verify({ ...delivery, secret: other }), WebhookVerificationError);
      assert.equal(refused.code, 'wrong_signature');
    });
  }

  test('webhooks of a real service are accepted with the old secret and the new one after it was rotated [C17]', async () => {
    const { id, secret: old } = await client.webhooks.create({ url: receiver.url, events: ['credits.threshold'] });
    const { secret } = await client.webhooks.rotateSecret(id);
    assert.notEqual(secret, old);
    const delivery = await arrived(id);
    for (const known of [secret, old]) {
      assert.equal((await client.webhooks.verify({ ...delivery, secret: known })).type, 'webhook.test');
    }
  });
});
