import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { attackerAt } from '../../src/cli/demo/demo-attack.ts';
import { lazily } from '../../src/platform/lazily.ts';
import { assertAccessible, assertAccessibleInTheDark, assertFits, phone } from './accessible.ts';
import { type ConsolePlaces, consolePlaces } from './console-places.ts';
import { openPage, pageLoaded } from './loaded-page.ts';
import { sweepPages } from './page-sweep.ts';
import { type Demo, type ShownConsole, showConsole, startDemo } from './shown-console.ts';
import { type Hand, keyboard, mouse } from './user-hands.ts';
import { userTasks } from './user-tasks.ts';
import { withoutBrowser } from './watched-page.ts';

interface Gate {
  readonly id: string;
  readonly default_action: string;
  readonly rules: readonly {
    readonly id: string;
    readonly name: string;
    readonly mode: string;
    readonly action: string;
  }[];
}

// Making up the month takes longer than most files, so one demo serves the tests of the command and, after them, of its console.
let demo: Promise<Demo>;
before(() => {
  demo = startDemo();
});
after(async () => (await demo).stop());

describe('signalpost demo', () => {
  const get = async (path: string) => {
    const { address, keys } = await demo;
    const answer = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${keys[0]?.key}` } });
    return (await answer.json()) as Record<string, unknown>;
  };

  it('signalpost demo writes only to its own folder', async () => {
    const { dataDir } = await demo;
    assert.ok(existsSync(join(dataDir, 'demo', 'signalpost.db')));
    assert.ok(!readdirSync(dataDir).includes('signalpost.db'));
  });

  it('signalpost demo has decided for a month: each action, live and shadow rules, in every week', async () => {
    const { data: gates } = (await get('/v1/gates')) as unknown as { data: { id: string; name: string }[] };
    const { id } = gates.find(({ name }) => name === 'Sign-up') ?? { id: '' };
    const from = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const { data } = (await get(`/v1/gates/${id}/stats?interval=day&from=${from}`)) as unknown as {
      data: { actions: Record<string, number>; rules: { shadow_count: number }[]; buckets: { allow: number }[] };
    };
    for (const action of ['allow', 'block', 'challenge']) assert.ok((data.actions[action] ?? 0) > 20, action);
    assert.ok(data.rules.some(({ shadow_count }) => shadow_count > 0));
    assert.ok(data.buckets.filter(({ allow }) => allow > 10).length >= 28);
  });

  it('signalpost demo has one wave, in the night of throwaway addresses', async () => {
    const { data } = (await get('/v1/waves')) as unknown as {
      data: { id: string; kind: string; value: string; state: string; addresses: number; allow: number }[];
    };
    assert.deepEqual(
      data.map(({ kind, value, state }) => [kind, value, state]),
      [['mail_server', 'blorpbox.example', 'ended']],
    );
    assert.ok((data[0]?.addresses ?? 0) >= 55 && (data[0]?.allow ?? 0) > 20, JSON.stringify(data[0]));
    const { data: wave } = (await get(`/v1/waves/${data[0]?.id}`)) as unknown as {
      data: { samples: { email: string }[]; rule: { conditions: object[] } };
    };
    assert.equal(wave.samples.length, 20);
  });

  it('signalpost demo lets the attack in until its user stops it', async () => {
    const { address, keys } = await demo;
    const { data: gates } = (await get('/v1/gates')) as unknown as { data: { id: string; name: string }[] };
    const { id } = gates.find(({ name }) => name === 'Sign-up') ?? { id: '' };
    for (const number of [0, 1, 2, 3]) {
      const answer = await fetch(`${address}/v1/gates/${id}/trace`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys[0]?.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(attackerAt(number)),
      });
      assert.equal(((await answer.json()) as { data: { action: string } }).data.action, 'allow');
    }
  });

  it('signalpost demo knows the domains of the month without a network query', async () => {
    const answer = await get('/email/anna%40contoso.example');
    assert.deepEqual([answer.mx, answer.spf, answer.dmarc], [true, 'strict', 'reject']);
    assert.equal((await get('/domain/unknown-name.example')).mx, null);
  });

  it('signalpost demo signs in by the printed link, and by the password', async () => {
    const { address, console } = await demo;
    const [, token] = console.sign_in_link.split('#');
    const { email, password } = console;
    for (const body of [{ token }, { email, password }]) {
      const { status } = await fetch(`${address}/console/api/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify(body),
      });
      assert.equal(status, 200, JSON.stringify(body));
    }
  });
});

describe('the console on a month of made-up data', { skip: withoutBrowser }, () => {
  let shown: ShownConsole;
  let places: Promise<ConsolePlaces>;
  before(async () => {
    shown = await showConsole(demo);
    places = consolePlaces(shown);
  });
  after(() => shown.stop());
  // One visit of every page serves three tests.
  const sweep = lazily(async () => sweepPages(shown, (await places).pages));
  const newGate = async () => (await shown.call<{ data: Gate }>('POST', '/v1/gates', { name: 'Tried' })).data;
  const read = async ({ id }: Gate) => (await shown.call<{ data: Gate }>('GET', `/v1/gates/${id}`)).data;
  const inEditor = (gate: Gate, flow: (page: Page) => Promise<void>, options = {}) =>
    shown.visit(`/production/gates/${gate.id}`, flow, options);

  /** Tab until something has the focus, as a keyboard user would. */
  const tabTo = async (page: Page, name: RegExp) => {
    for (let step = 0; step < 200; step += 1) {
      await page.keyboard.press('Tab');
      const label = await page.locator(':focus').evaluate((one) => {
        const labels = (one as unknown as { labels?: ArrayLike<{ textContent: string }> }).labels;
        return one.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? one.textContent ?? '';
      });
      if (name.test(label)) return;
    }
    assert.fail(`nothing called ${name} can be reached by Tab`);
  };

  it('"Use it" shows the code in the chosen language, with the gate and the chosen policies, and remembers the language', async () => {
    const gate = await newGate();
    await shown.visit(`/production/gates/${gate.id}/use-it`, async (page) => {
      const code = (language: string) => page.getByRole('textbox', { name: `the ${language} code` });
      assert.match(await code('curl').inputValue(), new RegExp(`/v1/gates/${gate.id}/decisions`));
      const choose = (group: string, choice: string) =>
        page.getByRole('group', { name: group }).getByText(choice, { exact: true }).click();
      await choose('Language', 'Python');
      await choose('While the service does not answer', 'Block');
      await choose('A challenge', 'Allow');
      const python = await code('Python').inputValue();
      for (const part of [shown.address, gate.id, 'return "block", "Please try again', 'action = "allow"'])
        assert.ok(python.includes(part), part);
      await page.reload();
      await code('Python').waitFor();
    });
  });

  it('every page fits, without squeezed or overlapping texts, from 320 to 2,560 px', async () => {
    assert.deepEqual((await sweep()).faults, []);
  });

  it('no page moves its content while answers arrive late', async () => {
    assert.deepEqual((await sweep()).shifts, []);
  });

  it('a page does no slow work in one task: rows come in steps, and no formatter of Intl is created', async () => {
    assert.deepEqual((await sweep()).slowWork, []);
  });

  it('every place counts the same decisions of 7 days', async () => {
    const { data: gates } = await shown.call<{ data: Gate[] }>('GET', '/v1/gates');
    const sum = (texts: readonly string[]) =>
      texts.reduce((total, text) => total + Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', '') ?? 0), 0);
    await shown.visit('/production/overview?range=7d', async (page) => {
      // Requests of the first load are not counted.
      await pageLoaded(page);
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.reload();
      const legend = page.getByRole('link', { name: /^(allow|block|challenge) [\d,]+$/ });
      await legend.nth(2).waitFor();
      await page.waitForLoadState('networkidle');
      assert.ok(requests.length <= 17, `${requests.length} requests:\n${requests.join('\n')}`);
      const total = sum(await legend.allTextContents());
      assert.ok(total > 100);
      assert.match(
        await page.locator('main').innerText(),
        new RegExp(`of ${total.toLocaleString('en')} decisions blocked`),
      );
      await page.goto('/console/production/gates');
      const rows = page.getByRole('link', { name: / decisions$/ });
      await rows.first().waitFor();
      assert.equal(sum(await rows.allTextContents()), total);
      const perGate = { editor: 0, statistics: 0, backtest: 0, rows: 0 };
      for (const { id } of gates) {
        await page.goto(`/console/production/gates/${id}`);
        perGate.editor += sum([(await page.getByText(/^[\d,]+ decisions? in 7 days$/).textContent()) ?? '']);
        const from = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 168 * 3_600_000).toISOString();
        const { data } = await shown.call<{ data: { evaluated: number } }>('POST', `/v1/gates/${id}/backtest`, {
          rules: [],
          from,
        });
        perGate.backtest += data.evaluated;
        await page.goto(`/console/production/gates/${id}/statistics?days=7`);
        perGate.statistics += sum([(await page.getByRole('heading', { name: / decisions$/ }).textContent()) ?? '']);
        perGate.rows = Math.max(
          perGate.rows,
          await page.getByRole('table', { name: 'Decisions by day' }).getByRole('row').count(),
        );
      }
      assert.deepEqual(perGate, { editor: total, statistics: total, backtest: total, rows: 9 });
    });
  });

  it('a wave is opened, judged, and its rule drafted in the gate that it attacked', async () => {
    await newGate();
    await shown.visit('/production/waves', async (page) => {
      const waves = page.getByRole('table', { name: 'Waves' });
      await waves.getByRole('link').first().click();
      const wave = page.getByRole('region', { name: 'The wave' });
      await wave.getByText(/got in$/).waitFor();
      const lastPart = () => new URL(page.url()).pathname.split('/').at(-1);
      const waveId = lastPart();
      await page.getByText(/^It matches .* of the wave/).waitFor();
      await page.getByRole('button', { name: 'This is an attack' }).click();
      await page.getByText('Marked as an attack').waitFor();
      await page.getByRole('link', { name: 'Adjust in the editor' }).click();
      await page.getByRole('button', { name: 'Review and save…' }).waitFor();
      await page
        .getByText(/^Wave: /)
        .first()
        .waitFor();
      const { data } = await shown.call<{ data: { samples: { email: string }[] } }>('GET', `/v1/waves/${waveId}`);
      const { data: found } = await shown.call<{ data: { gate: { id: string } }[] }>(
        'GET',
        `/v1/decisions?q=${encodeURIComponent(data.samples[0]?.email ?? '')}`,
      );
      assert.equal(lastPart(), found[0]?.gate.id);
      // Later tests expect a wave without a verdict.
      await shown.call('PATCH', `/v1/waves/${waveId}`, { verdict: null });
    });
  });

  it('a rule is suggested from outcomes, and added to the draft in shadow mode', async () => {
    interface Entry {
      readonly id: string;
      readonly gate: { readonly id: string };
    }
    interface Night {
      readonly allow: number;
      readonly began_at: string;
      readonly last_at: string;
    }
    const { data: waves } = await shown.call<{ data: Night[] }>('GET', '/v1/waves');
    const night = waves.find(({ allow }) => allow > 40);
    assert.ok(night !== undefined, 'the night of the demo is a wave');
    const search = async (query: Readonly<Record<string, string>>) =>
      (await shown.call<{ data: Entry[] }>('GET', `/v1/decisions?limit=100&action=allow&${new URLSearchParams(query)}`))
        .data;
    const bad = await search({ from: night.began_at, to: night.last_at });
    const good = await search({ to: night.began_at });
    const labelled = (entries: readonly Entry[], outcome: string) =>
      entries.map(({ id }) => ({ decision_id: id, outcome }));
    await shown.call('POST', '/v1/outcomes', { outcomes: [...labelled(good, 'good'), ...labelled(bad, 'bad')] });
    const gateId = bad[0]?.gate.id;
    await shown.visit(`/production/gates/${gateId}`, async (page) => {
      await page.getByRole('button', { name: 'Suggest rules' }).click();
      await page
        .getByText(/^Would have stopped \d+ bad sign-ups/)
        .first()
        .waitFor();
      await page.getByRole('button', { name: 'Add as shadow rule' }).first().click();
      await page.getByText('1 unsaved change').waitFor();
    });
  });

  it('a rule is written, tested, moved, reviewed and saved by keyboard only', async () => {
    const gate = await newGate();
    const flow = async (page: Page) => {
      await page.getByRole('list', { name: 'Rules' }).waitFor();
      await tabTo(page, /^Rule$/);
      await page.keyboard.press('Enter');
      await page.getByRole('textbox', { name: 'Name' }).waitFor();
      await tabTo(page, /^Name$/);
      await page.keyboard.type('Digits');
      await page.getByRole('combobox', { name: 'Condition 1: field' }).waitFor();
      await tabTo(page, /^Condition 1: field$/);
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type('email.local_part');
      await page.getByRole('option', { name: /^Local part/ }).waitFor();
      await page.keyboard.press('Enter');
      await tabTo(page, /^Condition 1: operator$/);
      await page.keyboard.type('matches');
      await tabTo(page, /^Condition 1: value$/);
      await page.keyboard.type('[0-9]{5,}$');
      await tabTo(page, /^Email address or domain$/);
      await page.keyboard.type('joe12345@example.com');
      await page.getByText('by “Digits”').waitFor();
      await page.getByText('holds: joe12345').waitFor();
      const grip = page.getByRole('button', { name: /^Move Digits/ });
      await grip.focus();
      await page.keyboard.press('ArrowUp');
      await page.getByRole('status').filter({ hasText: 'Digits is now at position 8 of 9.' }).waitFor();
      assert.ok(await grip.evaluate((one) => one.matches(':focus')), 'the grip keeps the focus');
      await tabTo(page, /^Review and save…$/);
      await page.keyboard.press('Enter');
      await page
        .getByText(/\d logged sign-ups (alike|differently)/)
        .or(page.getByText('No decisions are logged'))
        .waitFor();
      await tabTo(page, /^Save to production$/);
      await page.keyboard.press('Enter');
      await page.getByText('Saved. The gate now uses these rules in production.').waitFor();
    };
    // On a busy machine the address is sent half typed.
    await inEditor(gate, flow, { expected: /422/ });
    const { rules } = await read(gate);
    assert.deepEqual(rules.map(({ name }) => name).indexOf('Digits'), 7);
  });

  it('the tester shows no result for an address before its response arrives', async () => {
    const gate = await newGate();
    await shown.visit('/production/gates', async (page) => {
      const asked = Promise.withResolvers<void>();
      const letGo = Promise.withResolvers<void>();
      await page.route('**/trace', async (route) => {
        if (route.request().postData()?.includes('mailinator')) {
          asked.resolve();
          await letGo.promise;
        }
        await route.continue();
      });
      // The draft is checked with a made-up name while nothing is typed.
      const checked = page.waitForResponse('**/trace');
      await page.goto(`/console/production/gates/${gate.id}`);
      await checked;
      await page.getByRole('searchbox', { name: 'Email address or domain' }).fill('joe@mailinator.com');
      await asked.promise;
      const tester = page.getByText('Enter an address to see what this draft decides, and why.');
      assert.ok(await tester.isVisible());
      assert.equal(await page.getByText('no rule matched').count(), 0);
      letGo.resolve();
      await page.getByText('by “Disposable email”').waitFor();
    });
  });

  it('the tester continues by itself when it was used too often', async () => {
    const gate = await newGate();
    const flow = async (page: Page) => {
      const shownWaiting = Promise.withResolvers<void>();
      let sent = 0;
      await page.route('**/trace', async (route) => {
        sent += route.request().postData()?.includes('mailinator') ? 1 : 0;
        if (sent === 1) {
          const answer = { status: 429, headers: { 'retry-after': '1' }, json: { error: 'rate_limit_exceeded' } };
          return route.fulfill(answer);
        }
        if (sent > 1) await shownWaiting.promise;
        return route.continue();
      });
      await page.goto(`/console/production/gates/${gate.id}`);
      await page.getByRole('searchbox', { name: 'Email address or domain' }).fill('joe@mailinator.com');
      await page.getByText('60 tests a minute are free.').waitFor();
      shownWaiting.resolve();
      await page.getByText('by “Disposable email”').waitFor();
      assert.equal(await page.getByText('60 tests a minute are free.').count(), 0);
    };
    await shown.visit('/production/gates', flow, { expected: /429/ });
  });

  it('a rule moves when its grip is dragged, and moves back when the draft is discarded', async () => {
    const gate = await newGate();
    await inEditor(gate, async (page) => {
      const grips = page.locator('[data-grip]');
      await grips.first().waitFor();
      const from = await grips.nth(0).boundingBox();
      const to = await grips.nth(2).boundingBox();
      assert.ok(from && to);
      await page.mouse.move(from.x + 8, from.y + 8);
      await page.mouse.down();
      await page.mouse.move(to.x + 8, to.y + to.height, { steps: 12 });
      await page.mouse.up();
      const names = () => page.locator('[data-rule] > :first-child').allTextContents();
      assert.deepEqual((await names()).slice(0, 3), ['Disposable email', 'No MX records', 'Blocklisted domain']);
      await page.getByText('1 unsaved change').waitFor();
      await page.getByRole('button', { name: 'Discard' }).click();
      assert.equal((await names())[0], 'Blocklisted domain');
    });
  });

  it('new rules can be saved in shadow mode, and the review lists the differences', async () => {
    const gate = await newGate();
    await inEditor(gate, async (page) => {
      await page.getByRole('button', { name: 'Rule', exact: true }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Public mail');
      await page.getByRole('button', { name: 'Review and save…' }).click();
      await page.getByText(/^“Public mail” is new: challenges when Domain · .+ is yes\.$/).waitFor();
      await page.getByRole('button', { name: 'Save new rules as shadow' }).click();
      await page.getByText('Saved. The gate now uses').waitFor();
    });
    assert.equal((await read(gate)).rules.at(-1)?.mode, 'shadow');
  });

  it('another user’s change is shown beside the draft, and is not overwritten unseen', async () => {
    const gate = await newGate();
    const options = { expected: /409/ };
    await inEditor(
      gate,
      async (page) => {
        await page.getByLabel('If no rule matches').selectOption('challenge');
        await shown.call('PATCH', `/v1/gates/${gate.id}/rules/${gate.rules[0]?.id}`, { action: 'challenge' });
        await page.getByRole('button', { name: 'Review and save…' }).click();
        await page.getByRole('button', { name: 'Save to production' }).click();
        await page.getByRole('heading', { name: 'Another user has saved this gate' }).waitFor();
        await page.getByText('“Blocklisted domain” challenges instead of block.').waitFor();
        assert.equal((await read(gate)).default_action, 'allow');
        await page.getByRole('button', { name: 'Keep mine, review again' }).click();
        await page.getByText('“Blocklisted domain” blocks instead of challenge.').waitFor();
        await page.getByRole('button', { name: 'Save to production' }).click();
        await page.getByText('Saved. The gate now uses').waitFor();
      },
      options,
    );
    const saved = await read(gate);
    assert.deepEqual([saved.default_action, saved.rules[0]?.action], ['challenge', 'block']);
  });

  it('an earlier revision is restored through the same review', async () => {
    const gate = await newGate();
    await shown.call('PATCH', `/v1/gates/${gate.id}`, { default_action: 'block' });
    await shown.visit(`/production/gates/${gate.id}/history`, async (page) => {
      await page.getByText('When no rule matches: block instead of allow.').waitFor();
      await page.getByLabel('From', { exact: true }).selectOption('2');
      await page.getByLabel('To', { exact: true }).selectOption('1');
      await page.getByText('When no rule matches: allow instead of block.').waitFor();
      assert.match(page.url(), /from=2&to=1/);
      await page.reload();
      await page.getByText('When no rule matches: allow instead of block.').waitFor();
      await page.getByRole('button', { name: 'Restore revision 1' }).click();
      const review = page.getByRole('dialog');
      await review.getByText('When no rule matches: allow instead of block.').waitFor();
      await page.getByRole('button', { name: 'Save to production' }).click();
      await page.getByText('Saved. The gate now uses').waitFor();
    });
    assert.equal((await read(gate)).default_action, 'allow');
  });

  it('rules show their health, and the review lists the sign-ups with an outcome that a draft decides differently', async () => {
    const { data: gates } = await shown.call<{ data: (Gate & { name: string })[] }>('GET', '/v1/gates');
    const gate = gates.find(({ name }) => name === 'Sign-up');
    assert.ok(gate);
    interface Lines {
      readonly data: readonly { readonly id: string; readonly input: { readonly email: string } }[];
    }
    const path = `/v1/decisions?gate_id=${gate.id}&action=allow&limit=1`;
    const [allowed] = (await shown.call<Lines>('GET', path)).data;
    assert.ok(allowed);
    await shown.call('POST', '/v1/outcomes', { outcomes: [{ decision_id: allowed.id, outcome: 'bad' }] });
    await inEditor(gate, async (page) => {
      await page
        .getByRole('img', { name: /^[1-9]\d* matches in 30 days$/ })
        .first()
        .waitFor();
      await page
        .getByText(/^In shadow for \d+ days: would challenge \d+/)
        .first()
        .waitFor();
      await page.getByLabel('If no rule matches').selectOption('challenge');
      await page.getByRole('button', { name: 'Review and save…' }).click();
      await page.getByText(/^It would stop [1-9]\d* bad sign-ups?, /).waitFor();
      await page.getByRole('button', { name: 'Show them' }).click();
      const list = page.getByRole('list', { name: 'Sign-ups with an outcome' });
      await list.getByRole('link', { name: allowed.input.email }).waitFor();
      await list.getByText('bad', { exact: true }).first().waitFor();
      await assertAccessible(page, 'the review');
    });
  });

  it('an error is shown at its field before saving', async () => {
    const gate = await newGate();
    await inEditor(gate, async (page) => {
      await page.getByRole('button', { name: 'Rule', exact: true }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Wrong');
      await page.getByRole('combobox', { name: 'Condition 1: field' }).fill('email.local_part');
      await page.keyboard.press('Enter');
      await page.getByLabel('Condition 1: operator').selectOption('matches');
      const value = page.getByRole('textbox', { name: 'Condition 1: value' });
      await value.fill('(unclosed');
      // The field and what is wrong with it are marked when the answer about the draft has come.
      await value.and(page.locator('[aria-invalid=true][aria-describedby]')).waitFor();
      await page.getByText('needs attention').waitFor();
    });
  });

  it('a draft survives the end of the session, and signing in over the page', async () => {
    const gate = await newGate();
    const { email, password } = shown.access;
    await inEditor(
      gate,
      async (page) => {
        await page.getByRole('list', { name: 'Rules' }).waitFor();
        await page.context().clearCookies();
        // The draft is traced as it changes, and that is refused now.
        await page.getByLabel('If no rule matches').selectOption('block');
        const dialog = page.getByRole('dialog').filter({ hasText: 'Sign in' });
        await dialog.getByLabel('Email').fill(email);
        await dialog.getByLabel('Password').fill(password);
        await dialog.getByRole('button', { name: 'Sign in' }).click();
        await dialog.waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'Review and save…' }).click();
        await page.getByRole('button', { name: 'Save to production' }).click();
        await page.getByText('Saved. The gate now uses').waitFor();
      },
      { expected: /401/ },
    );
    assert.equal((await read(gate)).default_action, 'block');
  });

  it('a gate of another account is not found', async () => {
    await shown.visit(
      '/production/gates/01k0000000000000000000000a',
      async (page) => {
        await page.getByText('Not found').waitFor();
      },
      { expected: /404/ },
    );
  });

  describe('tasks of users', () => {
    /** Does every task by one hand, and then removes the gate and the rules that they left. */
    const doAll = async (page: Page, mark: string, hand: Hand, after: (name: string) => void) => {
      const { id } = (await signUpGate()) ?? {};
      const path = `/v1/gates/${id}`;
      const { data: first } = await shown.call<{ data: Gate }>('GET', path);
      const key = (await demo).keys.find(({ environment }) => environment === 'production')?.key ?? '';
      const read = async <T>(path: string) => await shown.call<T>('GET', path);
      for (const { name, from, run } of userTasks) {
        if (from !== undefined) await openPage(page, `/console${from}`);
        await run({ page, hand, mark, key, read }).catch((error: Error) => {
          error.message = `${name}: ${error.message}`;
          throw error;
        });
        after(name);
      }
      const { default_action, rules } = first;
      await shown.call('PUT', `${path}/rules`, { default_action, rules });
      const session = page.context().request;
      const development = '/console/api/development/v1/gates';
      const { data: gates } = (await (await session.get(development)).json()) as { data: { id: string }[] };
      for (const gate of gates)
        await session.delete(`${development}/${gate.id}`, { headers: { 'sec-fetch-site': 'same-origin' } });
    };
    const signUpGate = async () => {
      const { data } = await shown.call<{ data: (Gate & { name: string })[] }>('GET', '/v1/gates');
      return data.find(({ name }) => name === 'Sign-up');
    };

    it('take no more clicks than they may', async () => {
      await shown.visit('/production/overview', async (page) => {
        const hand = mouse(page);
        const counts: Record<string, number> = {};
        await doAll(page, 'mouse', hand, (name) => {
          counts[name] = hand.clicks() - Object.values(counts).reduce((sum, count) => sum + count, 0);
        });
        const tooMany = userTasks.filter(({ name, maxClicks }) => (counts[name] ?? Number.NaN) > maxClicks);
        assert.deepEqual(tooMany, [], JSON.stringify(counts));
      });
    });

    it('can be done with the keyboard alone', async () => {
      await shown.visit('/production/overview', (page) => doAll(page, 'keys', keyboard(page), () => {}));
    });
  });

  it('the editor, its review and the list of gates have no serious axe violations, in the light and in the dark', async () => {
    await inEditor(await newGate(), async (page) => {
      await page
        .getByRole('button', { name: /^Disposable email/ })
        .first()
        .click();
      await page.getByRole('textbox', { name: 'Name' }).waitFor();
      await page.getByRole('searchbox', { name: 'Email address or domain' }).fill('joe@mailinator.com');
      await page.getByText('by “Disposable email”').waitFor();
      await assertAccessibleInTheDark(page, 'the editor');
      await page.getByLabel('If no rule matches').selectOption('block');
      await page.getByRole('button', { name: 'Review and save…' }).click();
      await page
        .getByText(/\d logged sign-ups (alike|differently)/)
        .or(page.getByText('No decisions are logged'))
        .waitFor();
      await assertAccessibleInTheDark(page, 'the review');
    });
    await shown.visit('/production/gates', async (page) => {
      await page.getByRole('link', { name: 'Sign-up' }).first().waitFor();
      await assertAccessibleInTheDark(page, 'the gates');
      await page.getByRole('button', { name: 'New gate' }).click();
      await assertAccessibleInTheDark(page, 'a new gate');
    });
  });

  it('the editor and the list of gates fit a phone', async () => {
    const check = (place: string) => async (page: Page) => {
      await pageLoaded(page);
      await assertFits(page, place);
    };
    await inEditor(await newGate(), check('the editor'), phone);
    await shown.visit('/production/gates', check('the gates'), phone);
  });
});
