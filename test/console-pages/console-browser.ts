import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { buildConsole } from '../../scripts/build-console.ts';
import { requireProgram } from '../../scripts/programs.ts';
import { root } from '../../scripts/test-files.ts';
import { temporaryDirectory } from '../engines.ts';
import { missingService } from '../services.ts';
import { type Serving, serveSignalpost } from '../signalpost-process.ts';

/** Why flows cannot run here; undefined where there is a browser. */
export const withoutBrowser = await missingService(async () => requireProgram('chromium'));

/** With what the first user signs in. */
export const owner = { email: 'jane@example.com', password: 'correct horse battery staple' } as const;

const chromiumParameters =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

/** What a page may do in a flow besides the ordinary. */
export interface FlowOptions extends BrowserContextOptions {
  /** Begins without a session. */
  readonly signedOut?: boolean;
  /** Messages of the browser that the flow provokes, such as that of a 401. */
  readonly expected?: RegExp;
}

/** A service with its console, and a browser that looks at it. */
export interface ConsoleBrowser {
  readonly service: Serving;
  /** The link that the service printed for the first user. */
  readonly signInLink: string;
  /** Calls the service with the key of production. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
  /** A page of its own, watched: a broken policy, a request elsewhere or a message of the console is a problem. */
  withPage<T>(work: (page: Page) => Promise<T>, options?: FlowOptions): Promise<T>;
  close(): Promise<void>;
}

/** Builds the console if it is stale, and starts a service and a browser. */
export async function openConsole(env: NodeJS.ProcessEnv = {}): Promise<ConsoleBrowser> {
  await buildConsole();
  const dataDir = temporaryDirectory();
  const service = await serveSignalpost({ DATA_DIR: dataDir, ...env });
  const browser = await chromium.launch({
    executablePath: requireProgram('chromium'),
    args: chromiumParameters.split(' '),
  });
  const opened = { service, signInLink: signInLinkOf(service) };
  let session: ReturnType<typeof firstSession> | undefined;
  const signedIn = () => {
    session ??= firstSession(browser, opened.signInLink);
    return session;
  };
  return {
    ...opened,
    call: (method, path, body) =>
      fetch(service.url + path, {
        method,
        headers: { authorization: `Bearer ${service.keys.production}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    async withPage(work, { signedOut = false, expected, ...options } = {}) {
      const state = signedOut ? {} : { storageState: await signedIn() };
      const context = await browser.newContext({ baseURL: service.url, ...state, ...options });
      try {
        const page = await context.newPage();
        const problems = watch(page, service.url, expected);
        const result = await work(page);
        assert.deepEqual(problems, []);
        return result;
      } catch (error) {
        await keepPicture(context.pages()[0], error);
        throw error;
      } finally {
        await context.close();
      }
    },
    async close() {
      await browser.close();
      await service.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

function signInLinkOf(service: Serving): string {
  const { console: told } = JSON.parse(service.stdout().split('\n')[0] ?? '');
  return told.sign_in_link;
}

/** Opens the link, chooses a password, and gives what the browser keeps of it. */
async function firstSession(browser: Browser, link: string) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await comeIn(page, link);
    return await context.storageState();
  } finally {
    await context.close();
  }
}

/** The first run: the link, then address and password. */
export async function comeIn(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Save and go on' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

function watch(page: Page, url: string, expected: RegExp | undefined): string[] {
  const problems: string[] = [];
  const note = (text: string) => {
    if (!expected?.test(text)) problems.push(text);
  };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') note(message.text());
  });
  page.on('pageerror', (error) => note(error.message));
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${url}/`)) note(request.url());
  });
  return problems;
}

async function keepPicture(page: Page | undefined, error: unknown): Promise<void> {
  const folder = join(root, 'var', 'failed-flows');
  mkdirSync(folder, { recursive: true });
  const name = `${Date.now()}.png`;
  await page?.screenshot({ path: join(folder, name) }).catch(() => {}); // The page may be the reason for the failure.
  if (error instanceof Error) error.message += `\n(picture: var/failed-flows/${name})`;
}

/** One console for a describe, opened before its tests. */
export function consoleFor(env: NodeJS.ProcessEnv = {}) {
  let opened: ConsoleBrowser;
  before(async () => {
    opened = await openConsole(env);
  });
  after(() => opened.close());
  return {
    browser: () => opened,
    /** A test in a page that is signed in. */
    flow: (name: string, work: (page: Page) => Promise<void>, options?: FlowOptions) =>
      it(name, () => opened.withPage(work, options)),
  };
}
