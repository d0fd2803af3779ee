import assert from 'node:assert/strict';
import { it } from 'node:test';
import { blocksOf } from '../document-blocks.ts';
import { startApp } from '../start-app.ts';
import { createSignUpHook } from './auth-servers/sign-up-hook.ts';

type Ask = (url: string, secret: string, email: string, ip: string | null) => Promise<string | null>;

it('the function in docs/hooks.md returns the message of a block, and null for an allowed sign-up', async () => {
  const [block] = blocksOf('docs/hooks.md').filter(({ language }) => language === 'js');
  const ask = new Function(`${block?.source}; return ask;`)() as Ask;
  const started = await startApp();
  const base = await started.app.server.listen({ port: 0, host: '127.0.0.1' });
  const { id, secret } = await createSignUpHook(started, 'generic');
  const url = `${base}/hooks/${id}`;
  assert.equal(await ask(url, secret, 'joe@blocked.example', null), 'Please use the address of your company.');
  assert.equal(await ask(url, secret, 'jane@gmail.com', '8.8.8.8'), null);
  await started.close();
});
