import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { buildConsole } from '../../scripts/build-console.ts';
import { temporaryDirectory } from '../engines.ts';
import { shareSnapshot } from '../shared-snapshot.ts';
import { firstLine, spawnSignalpost } from '../signalpost-process.ts';
import { inWatchedPage, launchBrowser } from './watched-page.ts';

/** What the demo prints when it has started. */
interface Printed {
  readonly address: string;
  readonly keys: readonly { readonly environment: string; readonly key: string }[];
  readonly console: { readonly email: string; readonly password: string };
}

/** The built console on a month of made-up data, in a real browser. */
export interface ShownConsole {
  readonly address: string;
  readonly access: Printed['console'];
  /** Calls the API with the production key. */
  call<T>(method: string, path: string, body?: object): Promise<T>;
  /** Runs a flow on a page that is signed in, watched as `inWatchedPage` does. */
  visit(path: string, flow: (page: Page) => Promise<void>, options?: Visit): Promise<void>;
  stop(): Promise<void>;
}

interface Visit extends BrowserContextOptions {
  /** Answers that the flow provokes on purpose, as the browser reports them. */
  readonly expected?: RegExp;
}

/** Builds the console when it is stale, starts the demo and opens a browser. */
export async function showConsole(): Promise<ShownConsole> {
  await buildConsole();
  const dataDir = temporaryDirectory();
  mkdirSync(join(dataDir, 'demo'));
  shareSnapshot(join(dataDir, 'demo'));
  const running = spawnSignalpost(['demo', '--json'], { DATA_DIR: dataDir });
  const { address, keys, console: access }: Printed = JSON.parse(await firstLine(running));
  const browser = await launchBrowser();
  return {
    address,
    access,
    call: async (method, path, body) => {
      const key = keys.find(({ environment }) => environment === 'production')?.key;
      const answer = await fetch(`${address}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      assert.ok(answer.ok, `${method} ${path} answered ${answer.status}`);
      return (await answer.json()) as never;
    },
    visit: (path, flow, options) =>
      inWatchedPage(browser, { baseURL: address, ...options }, async (page) => {
        const headers = { origin: address, 'sec-fetch-site': 'same-origin' };
        const { email, password } = access;
        const answer = await page.request.post('/console/api/sign-in', { data: { email, password }, headers });
        assert.equal(answer.status(), 200, await answer.text());
        await page.goto(`/console${path}`);
        await flow(page);
      }),
    async stop() {
      await browser.close();
      running.child.kill('SIGTERM');
      await running.finished;
      rmSync(dataDir, { recursive: true });
    },
  };
}
