import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '../../../test/engines.ts';
import { shareSnapshot } from '../../../test/shared-snapshot.ts';
import { firstLine, type Running, spawnSignalpost } from '../../../test/signalpost-process.ts';

interface Printed {
  readonly address: string;
  readonly keys: readonly { readonly environment: string; readonly key: string }[];
  readonly console: { readonly sign_in_link: string; readonly email: string; readonly password: string };
}

describe('signalpost demo', () => {
  const dataDir = temporaryDirectory();
  let running: Running;
  let printed: Printed;
  before(async () => {
    mkdirSync(join(dataDir, 'demo'));
    shareSnapshot(join(dataDir, 'demo'));
    // What it must not use: a database and a network.
    running = spawnSignalpost(['demo', '--json'], {
      DATA_DIR: dataDir,
      OFFLINE: 'false',
      DATABASE_URL: 'postgres://127.0.0.1:9/unused',
    });
    printed = JSON.parse(await firstLine(running));
  });
  after(async () => {
    running.child.kill('SIGTERM');
    await running.finished;
  });
  const get = async (path: string, headers: Record<string, string>) =>
    (await (await fetch(`${printed.address}${path}`, { headers })).json()) as Record<string, unknown>;
  const withKey = () => ({ authorization: `Bearer ${printed.keys[0]?.key}` });

  it('signalpost demo writes only to its own folder', () => {
    assert.ok(existsSync(join(dataDir, 'demo', 'signalpost.db')));
    assert.ok(!readdirSync(dataDir).includes('signalpost.db'));
  });

  it('signalpost demo has decided for a month: each action, live and shadow rules, in every week', async () => {
    const { data: gates } = (await get('/v1/gates', withKey())) as unknown as { data: { id: string; name: string }[] };
    const { id } = gates.find(({ name }) => name === 'Sign-up') ?? { id: '' };
    const from = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const { data } = (await get(`/v1/gates/${id}/stats?interval=day&from=${from}`, withKey())) as unknown as {
      data: { actions: Record<string, number>; rules: { shadow_count: number }[]; buckets: { allow: number }[] };
    };
    for (const action of ['allow', 'block', 'challenge']) assert.ok((data.actions[action] ?? 0) > 20, action);
    assert.ok(data.rules.some(({ shadow_count }) => shadow_count > 0));
    assert.ok(data.buckets.filter(({ allow }) => allow > 10).length >= 28);
  });

  it('signalpost demo has a wave in the night of throwaway addresses, and a slow one', async () => {
    const { data } = (await get('/v1/waves', withKey())) as unknown as {
      data: { id: string; kind: string; value: string; state: string; addresses: number; allow: number }[];
    };
    assert.deepEqual(
      data.map(({ kind, value, state }) => [kind, value, state]),
      [
        ['mail_server', 'blorpbox.example', 'ended'],
        ['domain', 'nixletter.example', 'ended'],
      ],
    );
    assert.ok((data[0]?.addresses ?? 0) >= 55 && (data[0]?.allow ?? 0) > 20, JSON.stringify(data[0]));
    const { data: wave } = (await get(`/v1/waves/${data[0]?.id}`, withKey())) as unknown as {
      data: { samples: { email: string }[]; rule: { conditions: object[] } };
    };
    assert.equal(wave.samples.length, 20);
  });

  it('signalpost demo knows the domains of the month without a network query', async () => {
    const answer = await get('/email/anna%40contoso.example', withKey());
    assert.deepEqual([answer.mx, answer.spf, answer.dmarc], [true, 'strict', 'reject']);
    assert.equal((await get('/domain/unknown-name.example', withKey())).mx, null);
  });

  it('signalpost demo signs in by the printed link, and by the password', async () => {
    const [, token] = printed.console.sign_in_link.split('#');
    const { email, password } = printed.console;
    for (const body of [{ token }, { email, password }]) {
      const { status } = await fetch(`${printed.address}/console/api/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify(body),
      });
      assert.equal(status, 200, JSON.stringify(body));
    }
  });
});
