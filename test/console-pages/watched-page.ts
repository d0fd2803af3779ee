import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { requireBrowser } from '../../scripts/programs.ts';
import { root } from '../../scripts/test-files.ts';
import { missingService } from '../services.ts';

/** Why flows cannot run here; undefined where there is a browser. */
export const withoutBrowser = await missingService(async () => requireBrowser());

const chromiumParameters =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

/** Starts Debian's Chromium, without windows where that is installed. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: requireBrowser(), args: chromiumParameters.split(' ') });
}

/** How long a flow waits for an element; a busy machine takes many times as long as an idle one. */
export const waitTimeoutMs = 120_000;

/** How a page is watched. */
export interface Watch extends BrowserContextOptions {
  /** Where the page belongs; every request elsewhere is a problem. */
  readonly baseURL: string;
  /** Messages of the browser that the flow provokes, such as that of a 401. */
  readonly expected?: RegExp | undefined;
  /** Where the picture of a page goes whose flow failed. */
  readonly pictures?: string;
}

const failedFlows = join(root, 'var', 'failed-flows');

/**
 * Runs a flow in a page of its own. What breaks the policy, leaves the origin or fails in the page fails the flow, which leaves
 * a picture behind.
 */
export async function inWatchedPage<T>(
  browser: Browser,
  { expected, pictures = failedFlows, ...options }: Watch,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(waitTimeoutMs);
  try {
    const page = await context.newPage();
    const problems = watch(page, options.baseURL);
    const result = await work(page);
    assert.deepEqual(
      problems.filter((text) => !expected?.test(text)),
      [],
    );
    return result;
  } catch (error) {
    await keepPicture(pictures, context.pages()[0], error);
    throw error;
  } finally {
    await context.close();
  }
}

function watch(page: Page, baseUrl: string): string[] {
  const problems: string[] = [];
  // A broken policy is told there, too.
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${baseUrl}/`)) problems.push(request.url());
  });
  return problems;
}

/** A picture of the page, for readers of the log. */
async function keepPicture(folder: string, page: Page | undefined, error: unknown): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${Date.now()}.png`);
  await page?.screenshot({ path, fullPage: true }).catch(() => {}); // The page may be the reason for the failure.
  if (error instanceof Error) error.message += `\n(picture: ${relative(root, path)})`;
}
