import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { verifyWebhook } from '../../sdk/src/receiving/verify-webhook.ts';
import { assertAccessible } from './accessible.ts';
import { openConsole } from './console-browser.ts';
import { withoutBrowser } from './watched-page.ts';

/** A receiver on loopback that answers as it is told. */
async function startReceiver() {
  const received: { body: string; headers: IncomingHttpHeaders }[] = [];
  const answers = { status: 204 };
  const server = createServer(async (request, response) => {
    received.push({ body: await text(request), headers: request.headers });
    response.writeHead(answers.status).end(answers.status === 204 ? undefined : 'not today');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, received, answers, close: () => server.close() };
}

describe('webhooks in the console', { skip: withoutBrowser }, () => {
  it('a webhook is created with its secret shown once, tested, retried after a failure, disabled and deleted', async () => {
    const receiver = await startReceiver();
    const opened = await openConsole({
      OFFLINE: 'false',
      OUTBOUND_ALLOW: receiver.origin,
      DNS_SERVERS: '127.0.0.1:9',
    });
    try {
      await opened.withPage(async (page) => {
        await page.goto('/console/production/webhooks');
        await page.getByText('Notify a program when a domain that you allowed').waitFor();
        await page.getByRole('button', { name: 'New webhook' }).first().click();
        await page.getByRole('textbox', { name: 'Address' }).fill(`${receiver.origin}/hook`);
        await page.getByRole('checkbox', { name: /A gate decides/ }).check();
        await page.getByRole('checkbox', { name: 'block' }).check();
        await assertAccessible(page, 'a new webhook');
        await page.getByRole('button', { name: 'Create webhook' }).click();
        const secret = await page.getByRole('textbox', { name: 'the secret' }).inputValue();
        await page.getByRole('button', { name: 'I have saved it' }).click();
        await page.getByRole('heading', { name: 'Webhook', exact: true }).waitFor();
        assert.ok(!(await page.content()).includes(secret));
        await page.getByText('No deliveries yet.').waitFor();

        await page.getByRole('button', { name: 'Send test' }).click();
        const deliveries = page.getByRole('table', { name: 'Deliveries' });
        await deliveries.getByText('delivered').waitFor();
        const [first] = receiver.received;
        const event = await verifyWebhook({ body: first?.body ?? '', headers: first?.headers ?? {}, secret });
        assert.equal(event.type, 'webhook.test');

        receiver.answers.status = 500;
        await page.getByRole('button', { name: 'Send test' }).click();
        // By its state: a delivery may also have taken 500 ms.
        const failed = deliveries.getByRole('row').filter({ has: page.getByText('failed', { exact: true }) });
        await failed.waitFor();
        await failed.getByText('details').click();
        await failed.getByText('not today').waitFor();
        await assertAccessible(page, 'a webhook');
        receiver.answers.status = 204;
        await failed.getByRole('button', { name: 'Send webhook.test again' }).click();
        await deliveries.getByText('delivered').nth(1).waitFor();

        await page.getByLabel('More for this webhook').click();
        await page.getByRole('button', { name: 'New secret…' }).click();
        await page.getByRole('button', { name: 'Create new secret' }).click();
        assert.notEqual(await page.getByRole('textbox', { name: 'the secret' }).inputValue(), secret);
        await page.getByRole('button', { name: 'I have saved it' }).click();

        await page.getByRole('switch', { name: 'Enabled' }).click();
        await page.getByText('off', { exact: true }).waitFor();
        assert.ok(await page.getByRole('button', { name: 'Send test' }).isDisabled());
        await page.getByLabel('More for this webhook').click();
        await page.getByRole('button', { name: 'Delete…' }).click();
        await page.getByRole('button', { name: 'Delete in production' }).click();
        await page.getByText('Notify a program when a domain that you allowed').waitFor();
      });
    } finally {
      await opened.close();
      receiver.close();
    }
  });
});
