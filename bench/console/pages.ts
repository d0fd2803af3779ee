// node bench/console/pages.ts: the built console in Chromium on the month of `signalpost demo`: sizes, layout shift, how long a
// change of pages takes and the longest task on the way, and how long the tester takes to answer.
import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../scripts/test-files.ts';
import { consolePlaces } from '../../test/console-pages/console-places.ts';
import { openPage } from '../../test/console-pages/loaded-page.ts';
import { showConsole } from '../../test/console-pages/shown-console.ts';
import { benchTable, type Row } from '../row.ts';
import { median } from '../time-per-call.ts';

const rounds = 9;
/** Loads of each page: time that the host of a virtual machine takes counts as its own, so that one load alone may show anything. */
const loads = 3;
const places = [
  ...['Look up', 'Gates', 'Log', 'Waves', 'Blocklist', 'Your lists', 'Keys', 'Webhooks', 'Data sources', 'Settings'],
  'Overview',
] as const;

function sizes(): Row[] {
  const dist = join(root, 'console', 'dist');
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  const kilobytes = (file: string) => statSync(join(dist, `${file}.gz`)).size / 1024;
  const all = globSync('assets/*.js', { cwd: dist });
  const sum = (files: readonly string[]) => files.reduce((total, file) => total + kilobytes(file), 0);
  const lazy = all.filter((file) => !page.includes(file));
  return [
    {
      what: 'first JavaScript, gzip',
      value: sum(all.filter((file) => page.includes(file))),
      unit: 'KB',
      goal: '≤ 100',
    },
    { what: 'largest part that comes later', value: Math.max(...lazy.map(kilobytes)), unit: 'KB', goal: '≤ 60' },
    { what: 'all JavaScript', value: sum(all), unit: 'KB', goal: '≤ 260' },
  ];
}

/** Runs first in the page: adds up the browser's own measurements. */
const observe = `
  window.seen = { shift: 0, tasks: [] };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.seen.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.seen.tasks.push(entry.duration);
  }).observe({ type: 'longtask', buffered: true });`;

interface Seen {
  readonly shift: number;
  readonly tasks: readonly number[];
}

const seenIn = async (page: Page) => (await page.evaluate('window.seen')) as Seen;

/** From the click until the heading of the other page is painted, measured in the page itself. */
const changeTo = (name: string) => `new Promise((resolve) => {
  const link = [...document.querySelectorAll('nav a')].find((one) => one.textContent.trim() === ${JSON.stringify(name)});
  const isThere = () => document.querySelector('h1')?.textContent === ${JSON.stringify(name)};
  const startMs = performance.now();
  const look = () => (isThere() ? requestAnimationFrame(() => resolve(performance.now() - startMs)) : requestAnimationFrame(look));
  link.click();
  look();
})`;

const tracing = { categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] };

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** CPU milliseconds of each task on the page's main thread: on a busy machine wall-clock time means little. */
function taskTimes(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] };
  const place = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const isMain = ({ name, args }: TraceEvent): boolean => name === 'thread_name' && args?.name === 'CrRendererMain';
  const main = new Set(traceEvents.filter(isMain).map(place));
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && main.has(place(event)));
  return tasks.flatMap(({ tdur }) => (tdur === undefined ? [] : [tdur / 1_000]));
}

const shown = await showConsole();
const rows: Row[] = sizes();
try {
  await shown.visit('/production/settings', async (page) => {
    await page.addInitScript(observe);
    const shifts: number[] = [];
    const { pages } = await consolePlaces(shown);
    const browser = page.context().browser();
    assert.ok(browser);
    const longest: (readonly [path: string, ms: number])[] = [];
    for (const path of pages) {
      const ofLoads: number[] = [];
      for (let load = 0; load < loads; load += 1) {
        // In a new process, as in a new tab; the previous page would have tasks of its own, too.
        await page.goto('about:blank');
        await browser.startTracing(page, tracing);
        await openPage(page, `/console/production/${path}`);
        ofLoads.push(Math.max(...taskTimes(await browser.stopTracing())));
        shifts.push((await seenIn(page)).shift);
      }
      longest.push([path.replace(/\w{26}/, 'ID'), median(ofLoads)]);
    }
    const long = longest.filter(([, ms]) => ms > 50).map(([path, ms]) => `${path} ${ms.toFixed(0)} ms`);
    rows.push({
      what: `pages that load with a task that uses the processor for more than 50 ms, median${long.length === 0 ? '' : `: ${long.join(', ')}`}`,
      value: long.length,
      goal: '0',
    });
    rows.push({
      what: `layout shift while a page loads, the worst of ${pages.length} pages`,
      value: Math.max(...shifts),
      goal: '≤ 0.02',
    });
    const times = new Map<string, number[]>(places.map((name) => [name, []]));
    const before = (await seenIn(page)).tasks.length;
    await browser.startTracing(page, tracing);
    for (let round = 0; round < rounds; round += 1) {
      for (const name of places) {
        times.get(name)?.push(Number(await page.evaluate(changeTo(name))));
        await page.waitForLoadState('networkidle');
      }
    }
    const slowest = [...times].map(([name, all]) => [name, median(all)] as const).sort(([, a], [, b]) => b - a)[0];
    assert.ok(slowest);
    const all = median([...times.values()].flat());
    rows.push({ what: 'change of pages, median', value: all, unit: 'ms', goal: '≤ 100' });
    rows.push({
      what: `change of pages, the slowest (${slowest[0]}), median`,
      value: slowest[1],
      unit: 'ms',
      goal: '≤ 100',
    });
    const used = taskTimes(await browser.stopTracing());
    const tasks = (await seenIn(page)).tasks.slice(before);
    const changes = rounds * places.length;
    rows.push({ what: `tasks of more than 50 ms in ${changes} changes, by the clock`, value: tasks.length, goal: '0' });
    rows.push({ what: 'the longest of them, by the clock', value: Math.max(0, ...tasks), unit: 'ms' });
    rows.push({
      what: `tasks that used the processor for more than 50 ms, of ${used.length}`,
      value: used.filter((ms) => ms > 50).length,
      goal: '0',
    });
    rows.push({ what: 'most processor time of one task', value: Math.max(0, ...used), unit: 'ms', goal: '≤ 50' });
  });
  const { data } = await shown.call<{ data: { id: string }[] }>('GET', '/v1/gates');
  await shown.visit(`/production/gates/${data[0]?.id}`, async (page) => {
    const box = page.getByRole('searchbox', { name: 'Email address or domain' });
    const answers: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const answered = page.waitForResponse(
        (response) =>
          response.url().endsWith('/trace') && (response.request().postData() ?? '').includes(`joe${round}@`),
      );
      const startMs = performance.now();
      await box.fill(`joe${round}@mailinator.com`);
      await answered;
      answers.push(performance.now() - startMs);
    }
    rows.push({ what: 'tester, after the last key, median', value: median(answers), unit: 'ms', goal: '≤ 300' });
  });
} finally {
  await shown.stop();
}
console.log(benchTable(rows.map((row) => ({ bench: 'console', ...row }))));
