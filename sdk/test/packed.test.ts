import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromium } from 'playwright-core';
import { requireProgram } from '../../scripts/programs.ts';
import { temporaryDirectory } from '../../test/engines.ts';
import { missingService } from '../../test/services.ts';
import { type Serving, serveSignalpost } from '../../test/signalpost-process.ts';
import { Signalpost } from '../src/index.ts';
import { codeBlocks, lendPackages, writeBlocks } from './code-blocks.ts';
import { findNode20, type InstalledClient, installClient, run } from './installed-client.ts';
import { misbehave, silence } from './misbehaving-server.ts';
import { servePage } from './page-server.ts';

const node20 = findNode20();
const withoutNode20 = node20 === null && process.env.CI !== 'true' ? 'this machine has no Node 20' : false;
const withoutChromium = await missingService(async () => requireProgram('chromium'));
const chromiumParameters = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** What the client is asked on every runtime; it must end with an object to compare. */
const program = (url: string, key: string | undefined, from = '@signalpost/client') => `
  const { BadRequestError, Signalpost, TimeoutError } = await import('${from}');
  const client = new Signalpost({ apiKey: '${key}', baseUrl: '${url}' });
  const { disposable } = await client.domain('mailinator.com', { include_mx: false });
  const { account } = await client.status();
  const wrong = await client.email('no-address').catch((error) => error);
  const told = {
    disposable,
    plan: account.plan.name,
    wrong: [wrong instanceof BadRequestError, wrong.code, /^[0-9A-Z]{26}$/.test(wrong.requestId)],
  };`;
const told = { disposable: true, plan: 'Self-hosted', wrong: [true, 'invalid_email', true] };

describe('the packed client', () => {
  const dataDir = temporaryDirectory();
  let service: Serving;
  let installed: InstalledClient;

  before(async () => {
    installed = installClient();
    service = await serveSignalpost({ DATA_DIR: dataDir });
  });
  after(async () => {
    installed[Symbol.dispose]();
    await service.stop();
    rmSync(dataDir, { recursive: true });
  });

  const typeCheck = (files: readonly string[], resolution: string, types: string): void => {
    const module = resolution === 'bundler' ? 'esnext' : resolution;
    const options = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022'];
    // The types of others are none of our business, our own are.
    if (types !== '') options.push('--skipLibCheck');
    const found = ['--module', module, '--moduleResolution', resolution, '--lib', 'es2024,dom', '--types', types];
    run(join(import.meta.dirname, '../../node_modules/.bin/tsc'), [...options, ...found, ...files], installed.folder);
  };

  test('the packed client holds compiled modules and their types, no tests, and nothing else', () => {
    const files = readdirSync(installed.modules, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map(({ name }) => name);
    assert.deepEqual(
      files.filter((name) => !/^[a-z-]+\.(js|js\.map|d\.ts)$/.test(name) || /test/.test(name)),
      [],
    );
    const top = readdirSync(join(installed.modules, '..')).sort();
    assert.deepEqual(top, ['LICENSE', 'README.md', 'dist', 'package.json']);
    assert.deepEqual(readdirSync(join(installed.folder, 'node_modules')).sort(), ['.package-lock.json', '@signalpost']);
  });

  test('the packed client works in Node 20 [C14]', { skip: withoutNode20 }, () => {
    assert.ok(node20 !== null, 'this machine has no Node 20');
    const gates = `
      const gate = await client.gates.create({ name: 'Signup' });
      const { decision } = await client.gates.decide(gate.id, { email: 'joe@mailinator.com' });
      await client.blocklist.addMany(['one.example', 'two.example'], { repeatable: true });
      const listed = [];
      for await (const { domain } of client.blocklist.list({ per_page: 1 })) listed.push(domain);
      const { signUpGuard } = await import('@signalpost/client/express');
      const guard = typeof signUpGuard({ client, gateId: gate.id });
      console.log(JSON.stringify({ ...told, action: decision.action, listed: listed.sort(), guard }));`;
    const source = program(service.url, service.keys.production) + gates;
    assert.deepEqual(JSON.parse(installed.run(node20, 'check.js', source, {})), {
      ...told,
      action: 'block',
      listed: ['one.example', 'two.example'],
      guard: 'function',
    });
  });

  for (const resolution of ['nodenext', 'bundler']) {
    test(`the packed client has types that a strict program finds with the module resolution ${resolution}`, () => {
      installed.run(process.execPath, 'typed.ts', typedProgram, {});
      typeCheck(['typed.ts'], resolution, '');
    });
  }

  describe('in the blocks of its documents', () => {
    const blocks = ['sdk/README.md', 'docs/client.md'].flatMap(codeBlocks);
    const needing = (...packages: readonly string[]) =>
      blocks.filter((block) => block.packages.every((name) => packages.includes(name)));

    test('the packed client in the blocks of its documents type-checks, those for frameworks that are not installed here aside', () => {
      const checked = needing('express', 'fastify');
      const others = blocks.filter((block) => !checked.includes(block)).map(({ packages }) => packages[0]);
      assert.deepEqual(others, ['better-auth', '@auth/core']);
      lendPackages(installed.folder, ['express', 'fastify', '@types']);
      typeCheck(writeBlocks(installed.folder, checked), 'nodenext', 'node');
    });

    for (const { name, source } of needing()) {
      test(`the packed client in the blocks of its documents runs: ${name}`, async () => {
        const client = new Signalpost({ apiKey: service.keys.staging, baseUrl: service.url });
        const { id } = await client.gates.create({ name });
        const env = { SIGNALPOST_KEY: service.keys.staging, SIGNALPOST_URL: service.url, SIGNUP_GATE: id };
        const printed = installed.run(process.execPath, 'block.ts', source, env);
        for (const [, expected = ''] of source.matchAll(/console\.log\(.*\); \/\/ (\w+)/g)) {
          assert.ok(printed.includes(expected), `${expected} is not in ${printed}`);
        }
      });
    }
  });

  test('the packed client works in a page of another origin [C15]', { skip: withoutChromium }, async () => {
    await using page = await servePage(installed.modules);
    await using silent = await misbehave(silence);
    const slow = `
      const slow = new Signalpost({ apiKey: 'x', baseUrl: '${silent.url}', timeoutMs: 50 });
      const late = await slow.status().catch((error) => error instanceof TimeoutError);
      return { ...told, late };`;
    const source = program(service.url, service.keys.development, '/client/index.js') + slow;
    const browser = await chromium.launch({ executablePath: requireProgram('chromium'), args: chromiumParameters });
    try {
      const tab = await browser.newPage();
      await tab.goto(page.url);
      assert.deepEqual(await tab.evaluate(`(async () => {${source}})()`), { ...told, late: true });
    } finally {
      await browser.close();
    }
  });
});

const typedProgram = `
import { type Gate, type Rule, Signalpost } from '@signalpost/client';
import { signInGuard } from '@signalpost/client/auth-js';
import { signUpGuard as betterAuth } from '@signalpost/client/better-auth';
import { signUpGuard as express } from '@signalpost/client/express';
import { signUpGuard as fastify } from '@signalpost/client/fastify';
import { guardRoute } from '@signalpost/client/next';

const client = new Signalpost({ apiKey: 'key', baseUrl: 'http://127.0.0.1:8080' });
export async function useTypes(): Promise<Rule[]> {
  const gate: Gate = await client.gates.get('id');
  for await (const entry of client.blocklist.list()) entry.domain satisfies string;
  const decided = await client.gates.decide('id', { email: 'jane@example.com' });
  decided.signals.domain.name satisfies string;
  const perhaps = await client.gates.decide('id', { email: 'jane@example.com' }, { failOpen: 'allow' });
  // @ts-expect-error: an outage has no signals
  perhaps.signals.domain;
  // @ts-expect-error: no such action
  client.gates.decide('id', { email: 'jane@example.com' }, { failOpen: 'deny' });
  return gate.rules;
}
const settings = { client, gateId: 'id' };
export const guards = [
  signInGuard(settings),
  betterAuth({ ...settings, APIError: class extends Error {} }),
  express({ ...settings, ip: (request) => request.ip }),
  fastify(settings),
  guardRoute(settings, () => new Response()),
];
`;
