// node scripts/screenshots.ts --all DIRECTORY: a picture of every page, light, dark and at 390 and 900 px, to look at.
// node scripts/screenshots.ts: takes the pictures of the documents from `signalpost demo`; with --check it only reports whether
// what they show has changed since. A release requires current pictures, a commit does not: every change of the console would need new ones.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { consolePlaces } from '../test/console-pages/console-places.ts';
import { openPage } from '../test/console-pages/loaded-page.ts';
import { type ShownConsole, showConsole } from '../test/console-pages/shown-console.ts';
import { hashOf } from './console-stamp.mjs';
import { root } from './test-files.ts';

/** Where the pictures are. */
export const pictures = join(root, 'docs', 'images');
const recordFile = join(pictures, 'screenshots.json');

/** The pictures with their hashes, and the hash of the sources that they show. */
export interface PictureRecord {
  readonly sources: string;
  readonly pictures: Readonly<Record<string, string>>;
}

/** The record of the last run. */
export function readRecord(): PictureRecord {
  return JSON.parse(readFileSync(recordFile, 'utf8'));
}

/** A hash of what the pictures show: the console, the reference and the data of the demo. */
export function shownSources(): string {
  return hashOf(['console', 'snippets', 'src/reference', 'src/cli/demo']);
}

/** The hash of a picture. */
export function hashOfPicture(name: string): string {
  return createHash('sha256')
    .update(readFileSync(join(pictures, name)))
    .digest('hex');
}

interface Shot {
  readonly name: string;
  /** Below the service's address. */
  path(shown: ShownConsole): Promise<string> | string;
  readonly prepare?: (page: Page) => Promise<void>;
  readonly dark?: true;
}

const gateId = async (shown: ShownConsole): Promise<string> => {
  const { data } = await shown.call<{ data: { id: string; name: string }[] }>('GET', '/v1/gates');
  return data.find(({ name }) => name === 'Sign-up')?.id ?? '';
};

const shots: readonly Shot[] = [
  { name: 'console-overview', path: () => '/console/production/overview' },
  {
    name: 'console-gate',
    path: async (shown) => `/console/production/gates/${await gateId(shown)}`,
    prepare: async (page) => {
      await page.getByLabel('Email address or domain').fill('joe@mailinator.com');
      await page.getByLabel('Email address or domain').blur();
      await page.waitForLoadState('networkidle');
    },
    dark: true,
  },
  {
    name: 'console-decision',
    async path(shown) {
      const { data } = await shown.call<{ data: [{ id: string }] }>('GET', '/v1/decisions?action=block');
      return `/console/production/log/${data[0].id}`;
    },
  },
  {
    name: 'reference',
    path: async (shown) => `/docs?gate=${await gateId(shown)}#decide`,
    prepare: async (page) => {
      await page.locator('#decide .sample[data-call]').getByLabel('Language').selectOption('Python');
      await page.locator('#decide').evaluate((one) => one.scrollIntoView());
    },
  },
];

const size = { width: 1280, height: 800 };

async function takePictures(): Promise<void> {
  const shown = await showConsole();
  const hashes: Record<string, string> = {};
  try {
    for (const { name, path, prepare, dark } of shots) {
      const place = await path(shown);
      const options = { viewport: size, deviceScaleFactor: 1.5, colorScheme: dark ? 'dark' : 'light' } as const;
      await shown.visit(
        '/production/keys',
        async (page) => {
          await openPage(page, place);
          await prepare?.(page);
          // Motion ends, and charts are drawn.
          await page.waitForTimeout(1_000);
          const file = `${name}.webp`;
          writeFileSync(join(pictures, file), await webp(page));
          hashes[file] = hashOfPicture(file);
        },
        options,
      );
    }
  } finally {
    await shown.stop();
  }
  writeFileSync(recordFile, `${JSON.stringify({ sources: shownSources(), pictures: hashes }, null, 2)}\n`);
}

const looks = {
  light: { viewport: size },
  dark: { viewport: size, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  tablet: { viewport: { width: 900, height: 1_000 } },
} as const;

/** Takes a picture of every page in every look. */
async function takeAll(directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const shown = await showConsole();
  try {
    const { pages, states } = await consolePlaces(shown);
    for (const [look, options] of Object.entries(looks)) {
      await shown.visit(
        '/production/keys',
        async (page) => {
          for (const [index, place] of [...pages, ...states].entries()) {
            await openPage(page, `/console/production/${place}`);
            const scrollHeight = await page.evaluate<number>('document.querySelector("main").scrollHeight');
            const height = Math.min(3_000, Math.max(options.viewport.height, scrollHeight));
            await page.setViewportSize({ ...options.viewport, height });
            const name = `${String(index).padStart(2, '0')}-${place.replace(/\W+/g, '-')}`;
            await page.screenshot({ path: join(directory, `${look}-${name}.png`) });
            await page.setViewportSize(options.viewport);
          }
        },
        options,
      );
    }
  } finally {
    await shown.stop();
  }
}

/** A picture as WebP, a third of the size of PNG. */
async function webp(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
  return Buffer.from(data, 'base64');
}

if (import.meta.main) {
  const [, , option, directory] = process.argv;
  if (option === '--all') await takeAll(directory ?? '.');
  else if (option !== '--check') await takePictures();
  else if (readRecord().sources !== shownSources()) {
    console.error(
      'The pictures in docs/images show an older console. Run node scripts/screenshots.ts and look at them.',
    );
    process.exitCode = 1;
  }
}
