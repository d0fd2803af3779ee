import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { temporaryDirectory } from '../../test/engines.ts';
import { jsonInProcess, runInProcess } from '../../test/run-in-process.ts';

interface Created {
  readonly id: string;
  readonly url: string;
  readonly secret: string | null;
  readonly configuration: readonly { readonly code: string | null }[];
}
interface Tested {
  readonly request: { readonly url: string };
  readonly response: { readonly status: number; readonly body: string };
}

describe('signalpost hooks', () => {
  const env = { DATA_DIR: temporaryDirectory(), OFFLINE: 'true', PUBLIC_URL: 'https://signals.example' };
  let owner: string[];
  let gate: string;
  before(async () => {
    const create = ['accounts', 'create', '--name', 'A', '--email', 'a@a.example', '--plan', 'self-hosted'];
    const { id } = await jsonInProcess<{ id: string }>(create, env);
    owner = ['--account', id, '--environment', 'production'];
    const document = {
      gates: [
        {
          name: 'Sign-up',
          rules: [
            {
              name: 'All',
              action: 'block',
              message: 'No.',
              conditions: [{ field: 'domain.name', operator: 'is_known' }],
            },
          ],
        },
      ],
    };
    await runInProcess(['gates', 'import', ...owner], env, JSON.stringify(document));
    const { gates } = await jsonInProcess<{ gates: { id: string }[] }>(['gates', 'export', ...owner], env);
    gate = gates[0]?.id ?? '';
  });
  const create = (format: string) =>
    jsonInProcess<Created>(['hooks', 'create', ...owner, '--gate', gate, '--format', format], env);

  it('creates a hook and prints the variables to paste, lists it, rotates its secret and deletes it [H34]', async () => {
    const { id, url, secret, configuration } = await create('supabase');
    assert.equal(url, `https://signals.example/hooks/${id}`);
    assert.match(configuration[0]?.code ?? '', new RegExp(`URI=${url}\\n.*SECRETS=v1,whsec_`));
    const rotated = await jsonInProcess<Created>(['hooks', 'rotate', id], env);
    assert.notEqual(rotated.secret, secret);
    const list = ['hooks', 'list', ...owner];
    const { hooks } = await jsonInProcess<{ hooks: { id: string; format: string }[] }>(list, env);
    assert.deepEqual(
      hooks.map((hook) => [hook.id, hook.format]),
      [[id, 'supabase']],
    );
    await jsonInProcess(['hooks', 'delete', id], env);
    assert.deepEqual((await jsonInProcess<{ hooks: unknown[] }>(list, env)).hooks, []);
  });

  it('prints YAML for Kratos, and how to set a secret that the server makes [H34]', async () => {
    const kratos = await runInProcess(['hooks', 'create', ...owner, '--gate', gate, '--format', 'kratos'], env);
    assert.match(kratos.stdout, /hook: web_hook[\s\S]*value: "Bearer /);
    const { id, secret } = await create('workos');
    assert.equal(secret, null);
    const set = ['hooks', 'rotate', id, '--secret', 'made-by-workos-0123456789'];
    assert.equal((await jsonInProcess<Created>(set, env)).secret, 'made-by-workos-0123456789');
  });

  it('shows the exchange of a sign-up [H34]', async () => {
    const { id, url } = await create('generic');
    const tested = await jsonInProcess<Tested>(['hooks', 'test', id, '--email', 'jane@example.com'], env);
    assert.deepEqual([tested.request.url, tested.response.status], [url, 403]);
    assert.match(tested.response.body, /"message":"No\."/);
  });

  it('fails with the reason for an unknown hook, format or gate [H34]', async () => {
    const unknown = await runInProcess(['hooks', 'delete', '01k'], env);
    assert.match(unknown.stderr, /there is no hook 01k/);
    const format = await runInProcess(['hooks', 'create', ...owner, '--gate', gate, '--format', 'auth0'], env);
    assert.match(format.stderr, /--format is one of supabase/);
  });
});
