import { rmSync } from 'node:fs';
import { after, before, it } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { buildConsole } from '../../scripts/build-console.ts';
import { temporaryDirectory } from '../engines.ts';
import { shareSnapshot } from '../shared-snapshot.ts';
import { type Serving, serveSignalpost } from '../signalpost-process.ts';
import { inWatchedPage, launchBrowser, waitTimeoutMs } from './watched-page.ts';

/** With what the first user signs in. */
export const owner = { email: 'jane@example.com', password: 'correct horse battery staple' } as const;

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
  /** A page of its own, watched as `inWatchedPage` does. */
  withPage<T>(work: (page: Page) => Promise<T>, options?: FlowOptions): Promise<T>;
  close(): Promise<void>;
}

/** Builds the console if it is stale, and starts a service and a browser; `prepare` gets the folder before the start. */
export async function openConsole(
  env: NodeJS.ProcessEnv = {},
  prepare: (dataDir: string) => void = () => {},
): Promise<ConsoleBrowser> {
  await buildConsole();
  const dataDir = temporaryDirectory();
  shareSnapshot(dataDir);
  prepare(dataDir);
  const service = await serveSignalpost({ DATA_DIR: dataDir, ...env });
  const browser = await launchBrowser();
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
    async withPage(work, { signedOut = false, ...options } = {}) {
      const state = signedOut ? {} : { storageState: await signedIn() };
      return await inWatchedPage(browser, { baseURL: service.url, ...state, ...options }, work);
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
  context.setDefaultTimeout(waitTimeoutMs);
  try {
    const page = await context.newPage();
    await comeIn(page, link);
    return await context.storageState();
  } finally {
    await context.close();
  }
}

/** The first run: the link, its button, then address and password. */
export async function comeIn(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
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
