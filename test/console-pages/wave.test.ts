import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../eventually.ts';
import { type ConsoleBrowser, openConsole } from './console-browser.ts';

describe('the page of a wave', () => {
  let shown: ConsoleBrowser;
  let gateId: string;
  let waveId: string;
  before(async () => {
    shown = await openConsole({ OFFLINE: 'true' });
    gateId = (await call<{ id: string }>('POST', '/v1/gates', { name: 'Sign-up', preset: 'none' })).id;
    for (let index = 0; index < 9; index += 1) await decide(index);
    await eventually(async () => {
      const [wave] = await call<{ id: string; addresses: number }[]>('GET', '/v1/waves');
      assert.equal(wave?.addresses, 9);
      waveId = wave.id;
    });
  });
  after(() => shown.close());

  const call = async <T>(method: string, path: string, body?: object): Promise<T> =>
    ((await (await shown.call(method, path, body)).json()) as { data: T }).data;
  const decide = async (index: number): Promise<string> => {
    const email = `${'abcdefghijklm'.slice(index)}.${index}@wave-page.example`;
    const answer = await shown.call('POST', `/v1/gates/${gateId}/decisions`, { email });
    return ((await answer.json()) as { decision: { action: string } }).decision.action;
  };

  it('shows who got in, by keyboard too, and challenges the wave in one click', async () => {
    await shown.withPage(async (page) => {
      await page.goto(`/console/production/waves/${waveId}`);
      const head = page.getByRole('region', { name: 'The wave' });
      await head.getByText('All 9 sign-ups got in').waitFor();
      const chart = page.getByRole('slider', { name: 'The wave over time' });
      await chart.focus();
      await page.keyboard.press('End');
      assert.match((await chart.getAttribute('aria-valuetext')) ?? '', /got in; 9 addresses within the last hour\.$/);
      await page.getByRole('button', { name: /^Challenge them/ }).click();
      await page.getByText(/challenges these sign-ups now$/).waitFor();
    });
    assert.equal(await decide(9), 'challenge');
  });

  it('says which rule turned whom away, and leads to all of its sign-ups', async () => {
    await eventually(async () => {
      const wave = await call<{ challenge: number; stopped_by: unknown[] }>('GET', `/v1/waves/${waveId}`);
      assert.deepEqual([wave.challenge, wave.stopped_by.length], [1, 1]);
    });
    await shown.withPage(async (page) => {
      await page.goto(`/console/production/waves/${waveId}`);
      const stops = page.getByRole('region', { name: 'What stops it' });
      await stops.getByText('“Wave: wave-page.example”').waitFor();
      await stops.getByRole('link', { name: '1 sign-up turned away' }).waitFor();
      await page.getByRole('link', { name: 'All 10 sign-ups in the log' }).click();
      const rows = page.getByRole('table').getByRole('link', { name: /@wave-page\.example$/ });
      await eventually(async () => assert.equal(await rows.count(), 10));
    });
  });

  it('spins only the verdict that was pressed', async () => {
    await shown.withPage(async (page) => {
      await page.goto(`/console/production/waves/${waveId}`);
      const fine = page.getByRole('button', { name: 'This is fine' });
      await fine.waitFor();
      let answer = (): void => {};
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route('**/waves/*', async (route) => {
        if (route.request().method() === 'PATCH') await held;
        await route.continue();
      });
      await fine.click();
      assert.equal(await fine.getAttribute('aria-disabled'), 'true');
      const attack = page.getByRole('button', { name: 'This is an attack' });
      assert.equal(await attack.getAttribute('aria-disabled'), null);
      answer();
      await page.getByText(/^Judged fine/).waitFor();
    });
  });
});
