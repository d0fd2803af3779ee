import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '../../../test/engines.ts';
import { jsonInProcess, runInProcess } from '../../../test/run-in-process.ts';
import { type Serving, serveSignalpost } from '../../../test/signalpost-process.ts';

interface WireUser {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly link: string;
  readonly signed_in_at: string | null;
}

describe('signalpost users', () => {
  const env = { DATA_DIR: temporaryDirectory(), HOST: '0.0.0.0' };
  let service: Serving;
  before(async () => {
    service = await serveSignalpost(env);
  });
  after(() => service.stop());
  const started = () => JSON.parse(service.stdout()).console as { address: string; sign_in_link: string | null };
  /** The cookie that a link is worth; the status when it is worth none. */
  const signIn = async (link: string): Promise<{ status: number; cookie: string }> => {
    const answer = await fetch(`${service.url}/console/api/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.url },
      body: JSON.stringify({ token: link.split('#')[1] }),
    });
    return { status: answer.status, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' };
  };
  const meWith = async (cookie: string): Promise<number> =>
    (await fetch(`${service.url}/console/api/me`, { headers: { cookie } })).status;

  it('serve prints where the console opens, never every address, and a link [D234]', () => {
    assert.equal(started().address, `${service.url}/console`);
    assert.match(started().sign_in_link ?? '', /^http:\/\/127\.0\.0\.1:\d+\/console\/sign-in#[\w-]{59}$/);
  });

  it('reset-password without a name creates another link for the first user until a user has signed in', async () => {
    const { link, role } = await jsonInProcess<WireUser>(['users', 'reset-password'], env);
    assert.equal(role, 'operator');
    assert.equal((await signIn(started().sign_in_link ?? '')).status, 401, 'the newer one replaced it');
    assert.equal((await signIn(link)).status, 200);
    const { code, stderr } = await runInProcess(['users', 'reset-password'], env);
    assert.deepEqual([code, /--email is missing/.test(stderr)], [2, true], stderr);
  });

  it('create, list, reset-password and delete take effect in a running service immediately [D237]', async () => {
    const words = ['users', 'create', '--account', service.account, '--email', 'Jane@example.com'];
    const made = await jsonInProcess<WireUser>(words, env);
    assert.deepEqual([made.email, made.role], ['jane@example.com', 'member']);
    const { cookie } = await signIn(made.link);
    assert.equal(await meWith(cookie), 200);
    const listed = await jsonInProcess<WireUser[]>(['users', 'list', '--account', service.account], env);
    assert.notEqual(listed.find(({ id }) => id === made.id)?.signed_in_at, null);
    const reset = await jsonInProcess<WireUser>(['users', 'reset-password', '--email', 'JANE@example.com'], env);
    assert.equal(await meWith(cookie), 401);
    const again = await signIn(reset.link);
    assert.equal(await meWith(again.cookie), 200);
    await jsonInProcess(['users', 'delete', made.id], env);
    assert.equal(await meWith(again.cookie), 401);
  });

  it('reset-password needs --account for an address that several accounts have invited', async () => {
    const wanted = ['accounts', 'create', '--name', 'Third', '--email', 'third@example.com', '--plan', 'free'];
    const { id } = await jsonInProcess<{ id: string }>(wanted, env);
    for (const account of [service.account, id])
      await jsonInProcess(['users', 'create', '--account', account, '--email', 'both@example.com'], env);
    const words = ['users', 'reset-password', '--email', 'both@example.com'];
    const { code, stderr } = await runInProcess(words, env);
    assert.deepEqual([code, /--account is missing/.test(stderr)], [2, true], stderr);
    const { link } = await jsonInProcess<WireUser>([...words, '--account', id], env);
    assert.equal((await signIn(link)).status, 200);
  });

  it('with an account everybody of it is out, for good', async () => {
    const wanted = ['accounts', 'create', '--name', 'Other', '--email', 'other@example.com', '--plan', 'free'];
    const { id } = await jsonInProcess<{ id: string }>(wanted, env);
    const { link } = await jsonInProcess<WireUser>(
      ['users', 'create', '--account', id, '--email', 'joe@example.com'],
      env,
    );
    const { cookie } = await signIn(link);
    assert.equal(await meWith(cookie), 200);
    await jsonInProcess(['accounts', 'delete', id, '--yes'], env);
    assert.equal(await meWith(cookie), 401);
    const left = await jsonInProcess<{ account: string }[]>(['users', 'list'], env);
    assert.ok(left.length > 0 && left.every(({ account: of }) => of !== id));
  });

  it('create rejects an address with control characters, and does not repeat them', async () => {
    for (const email of ['x\u202e@example.com', 'x\u001b@example.com']) {
      const { code, stderr } = await runInProcess(
        ['users', 'create', '--account', service.account, '--email', email],
        env,
      );
      assert.deepEqual([code, stderr], [1, 'signalpost: This is not an email address.\n']);
    }
  });

  for (const [words, code] of [
    [['users', 'create', '--email', 'x@example.com'], 2],
    [['users', 'create', '--account', 'missing', '--email', 'x@example.com'], 1],
    [['users', 'create', '--account', 'missing', '--email', 'x@example.com', '--role', 'king'], 2],
    [['users', 'reset-password', '--email', 'missing@example.com'], 1],
    [['users', 'delete', 'missing'], 1],
  ] as const) {
    it(`${words.join(' ')} fails with one line`, async () => {
      const finished = await runInProcess(words, env);
      assert.equal(finished.code, code);
      assert.match(finished.stderr, /^signalpost: .+\n(Usage: .+\n)?$/);
    });
  }
});
