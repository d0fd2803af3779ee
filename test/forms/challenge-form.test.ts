import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import express from 'express';
import type { Browser } from 'playwright-core';
import { buildConsole } from '../../scripts/build-console.ts';
import { createChallenges } from '../../sdk/src/challenge/challenges.ts';
import { signUpGuard } from '../../sdk/src/guards/express.ts';
import { Signalpost } from '../../sdk/src/index.ts';
import { launchBrowser, withoutBrowser } from '../console-pages/watched-page.ts';
import { temporaryDirectory } from '../engines.ts';
import { type Serving, serveSignalpost } from '../signalpost-process.ts';

/** A program with a plain HTML form behind the guard, as a reader of the guide writes it. */
async function serveProgram(service: Serving, gateId: string, workers: boolean) {
  const client = new Signalpost({ apiKey: service.keys.production, baseUrl: service.url });
  const decided: string[] = [];
  const policy = [
    "default-src 'none'",
    `script-src ${service.url}`,
    `connect-src 'self' ${service.url}`,
    "form-action 'self'",
    ...(workers ? ['worker-src blob:'] : []),
  ].join('; ');
  const form = `<!doctype html><title>Sign up</title><script src="${service.url}/form.js" data-key="sp_pub_none" defer></script>
    <form data-signalpost="challenge" method="post" action="/sign-up">
    <input type="hidden" name="action" value="join"> <input type="email" name="email"> <button name="plan" value="free">Sign up</button></form>`;
  const app = express().use(express.urlencoded());
  app.use((_request, response, next) => {
    response.setHeader('content-security-policy', policy);
    next();
  });
  app.get('/', (_request, response) => void response.send(form));
  const challenge = createChallenges({ secret: 'x'.repeat(32), cost: 1_000, maxAttempts: 200 });
  const guard = signUpGuard({ client, gateId, challenge, onDecision: ({ action }) => void decided.push(action) });
  app.post('/sign-up', guard, (request: express.Request<object, string, Record<string, string>>, response) => {
    response.send(`Welcome ${request.body.email} ${request.body.plan}`);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    decided,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('a form with a challenge', { skip: withoutBrowser }, () => {
  const dataDir = temporaryDirectory();
  let service: Serving;
  let browser: Browser;
  let gateId: string;
  before(async () => {
    await buildConsole();
    service = await serveSignalpost({ DATA_DIR: dataDir });
    browser = await launchBrowser();
    const { data } = await service.call<{ data: { id: string } }>('POST', '/v1/gates', { name: 'Sign-up' });
    gateId = data.id;
    const conditions = [{ field: 'domain.name', operator: 'equals', value: 'gmail.com' }];
    await service.call('POST', `/v1/gates/${gateId}/rules`, { name: 'Free mail', action: 'challenge', conditions });
  });
  after(async () => {
    await browser.close();
    await service.stop();
    rmSync(dataDir, { recursive: true });
  });

  const signUp = async (url: string, email: string) => {
    const page = await browser.newPage();
    page.setDefaultTimeout(30_000);
    await page.goto(url);
    const workers: string[] = [];
    page.on('worker', (worker) => workers.push(worker.url()));
    await page.evaluate(`
      new MutationObserver(() => {
        const bar = document.querySelector('.signalpost-challenge progress');
        if (bar) sessionStorage.setItem('progress', bar.value);
      }).observe(document, { subtree: true, childList: true, attributes: true });
    `);
    await page.fill('input[type=email]', email);
    await page.click('text=Sign up');
    await page.locator('text=/Welcome|cannot|disposable/i').waitFor();
    const text = (await page.locator('body').innerText()).trim();
    const progress = await page.evaluate<string | null>("sessionStorage.getItem('progress')");
    await page.close();
    return { text, workers: workers.length, progress };
  };

  it('a form with a challenge is solved in a worker with visible progress, and then sent natively [C20]', async () => {
    using program = await serveProgram(service, gateId, true);
    const result = await signUp(program.url, 'jane@gmail.com');
    assert.deepEqual([result.text, result.workers], ['Welcome jane@gmail.com free', 1]);
    assert.ok(Number(result.progress) > 0, String(result.progress));
    assert.deepEqual(program.decided, ['challenge']);
  });

  it('a form with a challenge is solved without a worker where the policy allows none', async () => {
    using program = await serveProgram(service, gateId, false);
    const result = await signUp(program.url, 'joe@gmail.com');
    assert.deepEqual([result.text, result.workers], ['Welcome joe@gmail.com free', 0]);
  });

  it('a form with a challenge sends an allowed address after one decision, and shows why another is refused', async () => {
    using program = await serveProgram(service, gateId, true);
    assert.equal((await signUp(program.url, 'jane@example.org')).text, 'Welcome jane@example.org free');
    const refused = await signUp(program.url, 'joe@mailinator.com');
    assert.match(refused.text, /Sign up/);
    assert.deepEqual(program.decided, ['allow', 'block']);
  });
});
