import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { buildConsole } from '../../scripts/build-console.ts';
import { requireProgram } from '../../scripts/programs.ts';
import { root } from '../../scripts/test-files.ts';
import { temporaryDirectory } from '../engines.ts';
import { shareSnapshot } from '../shared-snapshot.ts';
import { firstLine, spawnSignalpost } from '../signalpost-process.ts';

const chromiumParameters =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

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
  /** Runs a flow on a page that is signed in; what breaks the policy, leaves the origin or fails in the page fails it. */
  visit(path: string, flow: (page: Page) => Promise<void>, options?: Visit): Promise<void>;
  stop(): Promise<void>;
}

interface Visit extends BrowserContextOptions {
  /** Under which its picture is kept when it fails. */
  readonly name?: string;
  /** Not signed in. */
  readonly isStranger?: boolean;
  /** Answers that the flow provokes on purpose, as the browser reports them. */
  readonly expected?: RegExp;
}

/** Builds the console when it is stale, starts the demo and opens a browser. */
export async function showConsole(): Promise<ShownConsole> {
  await buildConsole();
  const dataDir = temporaryDirectory();
  shareSnapshot(join(dataDir, 'demo'));
  const running = spawnSignalpost(['demo', '--json'], { DATA_DIR: dataDir });
  const printed: Printed = JSON.parse(await firstLine(running));
  const browser = await chromium.launch({
    executablePath: requireProgram('chromium'),
    args: chromiumParameters.split(' '),
  });
  const { address, keys, console: access } = printed;
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
    visit: (path, flow, options = {}) => visit(browser, printed, path, flow, options),
    async stop() {
      await browser.close();
      running.child.kill('SIGTERM');
      await running.finished;
      rmSync(dataDir, { recursive: true });
    },
  };
}

async function visit(
  browser: Browser,
  { address, console: { email, password } }: Printed,
  path: string,
  flow: (page: Page) => Promise<void>,
  { name = 'flow', isStranger = false, expected = /^$/, ...look }: Visit,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...look });
  const problems: string[] = [];
  const page = await context.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(address)) problems.push(request.url());
  });
  try {
    if (!isStranger) {
      const headers = { origin: address, 'sec-fetch-site': 'same-origin' };
      const answer = await context.request.post(`${address}/console/api/sign-in`, {
        data: { email, password },
        headers,
      });
      assert.equal(answer.status(), 200, await answer.text());
    }
    await page.goto(`${address}/console${path}`);
    await flow(page);
    // Asking who is signed in is how the page learns that nobody is.
    const unexpected = problems.filter((text) => !expected.test(text) && !(isStranger && /401/.test(text)));
    assert.deepEqual(unexpected, []);
  } catch (error) {
    await keepPicture(page, name);
    throw error;
  } finally {
    await context.close();
  }
}

/** Pictures of what failed, for whoever reads the log. */
async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = join(root, 'var', 'failed-pages');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.png`);
  await page.screenshot({ path: file, fullPage: true });
  console.error(`what the page looked like: ${file}`);
}

/** Every look a page is to be checked in. */
export const looks = [
  { look: 'light', colorScheme: 'light' },
  { look: 'dark', colorScheme: 'dark' },
  { look: 'on a phone', colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true },
] as const;

/** Fails when axe finds something serious on the page as it is now. */
export async function assertAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  assert.deepEqual(
    serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
    [],
  );
}
