import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../../test/engines.ts';
import { startApp } from '../../test/start-app.ts';
import { loadPlans } from './plans.ts';

const directory = temporaryDirectory();
let files = 0;
function plansFile(content: unknown): string {
  files += 1;
  const file = join(directory, `plans-${files}.json`);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

describe('the shipped plans', () => {
  it('the shipped plans are the six documented ones [D41]', () => {
    const rows = [...loadPlans(null).values()].map(({ id, name, pro, credits, rateLimit, blocklistEntries }) =>
      [id, name, pro, credits, rateLimit, blocklistEntries].join(' | '),
    );
    assert.deepEqual(rows, [
      'free | Free | false | 1000 | 1 | 1000000',
      'pro-200k | Pro 200K | true | 200000 | 15 | 1000000',
      'pro-500k | Pro 500K | true | 500000 | 25 | 1000000',
      'pro-1.5m | Pro 1.5M | true | 1500000 | 40 | 1000000',
      'pro-3.5m | Pro 3.5M | true | 3500000 | 50 | 1000000',
      'self-hosted | Self-hosted | true | 1000000000 | 1000000 | 1000000',
    ]);
  });
});

describe("an operator's own plans", () => {
  const gold = { id: 'gold', name: 'Gold', pro: true, credits: 7, rate_limit: 3 };

  it("an operator's own plans replace the shipped ones [D40]", () => {
    const plans = loadPlans(plansFile([gold]));
    const { rate_limit: rateLimit, ...rest } = gold;
    assert.deepEqual([...plans], [['gold', { ...rest, rateLimit, blocklistEntries: 1_000_000 }]]);
  });

  it("an operator's own plans set the maximum of blocklist entries, which is a million by default [Q64]", () => {
    const file = plansFile([gold, { ...gold, id: 'small', blocklist_entries: 0 }]);
    assert.deepEqual(
      [...loadPlans(file).values()].map(({ blocklistEntries }) => blocklistEntries),
      [1_000_000, 0],
    );
    for (const wrong of [-1, 1.5, '10', null]) {
      assert.throws(() => loadPlans(plansFile([{ ...gold, blocklist_entries: wrong }])), /plan 1: .*blocklist_entries/);
    }
  });

  it("an operator's own plans give the first account a plan that exists, so that its keys work", async () => {
    const started = await startApp({ PLANS_FILE: plansFile([gold]) });
    const { status, json } = await started.request<{ account: { plan: object } }>('GET', '/status', {
      key: started.keys.production,
    });
    assert.equal(status, 200);
    assert.deepEqual(json.account.plan, { name: 'Gold', credits: 7, requests: 7, rate_limit: 3 });
    await started.close();
  });

  it("an operator's own plans are rejected when invalid, with an error that names the file and every problem [D252]", () => {
    const rows = [gold, gold, { ...gold, id: 'b', credits: -1 }, { ...gold, id: 'c', rate_limit: 0 }, null, 'plan'];
    const file = plansFile(rows);
    assert.throws(
      () => loadPlans(file),
      (error: Error) => {
        assert.ok(error.message.startsWith(`PLANS_FILE ${file} is wrong: `));
        for (const position of [2, 3, 4, 5, 6]) assert.match(error.message, new RegExp(`plan ${position}:`));
        return true;
      },
    );
    const wrong = [{}, [], 'nothing', 3, [{ ...gold, pro: 'yes' }], [{ ...gold, credits: 1.5 }], [{ ...gold, id: '' }]];
    for (const content of wrong) assert.throws(() => loadPlans(plansFile(content)), /PLANS_FILE/);
    assert.throws(() => loadPlans(plansFile('[{')), /cannot read PLANS_FILE/);
    assert.throws(() => loadPlans(join(directory, 'missing.json')), /cannot read PLANS_FILE/);
  });
});
