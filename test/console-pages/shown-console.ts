import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { buildConsole } from '../../scripts/build-console.ts';
import { temporaryDirectory } from '../engines.ts';
import { shareSnapshot } from '../shared-snapshot.ts';
import { firstLine, spawnSignalpost } from '../signalpost-process.ts';
import { inWatchedPage, launchBrowser } from './watched-page.ts';

/** What the demo prints when it has started. */
interface Printed {
  readonly address: string;
  readonly keys: readonly { readonly environment: string; readonly key: string }[];
  readonly console: { readonly sign_in_link: string; readonly email: string; readonly password: string };
}

/** A running `signalpost demo`. */
export interface Demo extends Printed {
  readonly dataDir: string;
  /** Ends it and removes its data; may be called twice. */
  stop(): Promise<void>;
}

/** Starts the demo with the address of a database and a network, neither of which it may use. */
export async function startDemo(): Promise<Demo> {
  const dataDir = temporaryDirectory();
  mkdirSync(join(dataDir, 'demo'));
  shareSnapshot(join(dataDir, 'demo'));
  const running = spawnSignalpost(['demo', '--json', '--attack', '0'], {
    DATA_DIR: dataDir,
    OFFLINE: 'false',
    DATABASE_URL: 'postgres://127.0.0.1:9/unused',
  });
  const printed: Printed = JSON.parse(await firstLine(running));
  return {
    ...printed,
    dataDir,
    async stop() {
      running.child.kill('SIGTERM');
      await running.finished;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
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

/** Builds the console when it is stale, and opens a browser on a demo. */
export async function showConsole(starting: Promise<Demo> = startDemo()): Promise<ShownConsole> {
  await buildConsole();
  const demo = await starting;
  const { address, keys, console: access } = demo;
  const browser = await launchBrowser();
  const session = await signIn(browser, demo);
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
      inWatchedPage(browser, { baseURL: address, storageState: session, ...options }, async (page) => {
        await page.goto(`/console${path}`);
        await flow(page);
      }),
    async stop() {
      await browser.close();
      await demo.stop();
    },
  };
}

/** Signs in, and returns the cookies of the session: a hash of the password takes as long as a page. */
async function signIn(browser: Browser, { address, console: { email, password } }: Demo) {
  const context = await browser.newContext();
  const headers = { origin: address, 'sec-fetch-site': 'same-origin' };
  const answer = await context.request.post(`${address}/console/api/sign-in`, { data: { email, password }, headers });
  assert.equal(answer.status(), 200, await answer.text());
  const session = await context.storageState();
  await context.close();
  return session;
}
