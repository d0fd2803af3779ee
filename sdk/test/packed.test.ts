import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { chromium } from 'playwright-core';
import { publint } from 'publint';
import { requireBrowser } from '../../scripts/programs.ts';
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
const withoutChromium = await missingService(async () => requireBrowser());
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
const program = (url: string, key: string | undefined, load = "await import('@signalpost/client')") => `
  const { BadRequestError, Signalpost, TimeoutError } = ${load};
  const client = new Signalpost({ apiKey: '${key}', baseUrl: '${url}', dangerouslyAllowBrowser: true });
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

  const ofRepository = (file: string) => join(import.meta.dirname, '../../node_modules', file);
  const typeCheck = (files: readonly string[], resolution: string, types: string, tsc = '.bin/tsc'): void => {
    const module = { bundler: 'esnext', node10: 'commonjs' }[resolution] ?? resolution;
    const options = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022'];
    // The types of others are none of our business, our own are.
    if (types === '') options.push('--typeRoots', 'none');
    else options.push('--skipLibCheck', '--types', types);
    const found = ['--module', module, '--moduleResolution', resolution, '--lib', 'es2023,dom'];
    run(ofRepository(tsc), [...options, ...found, ...files], installed.folder);
  };

  test('publint and arethetypeswrong find no problem in the packed client, in any module resolution', async () => {
    const bytes = readFileSync(installed.tarball);
    const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    assert.deepEqual((await publint({ pack: { tarball }, strict: true })).messages, []);
    const analysis = await checkPackage(createPackageFromTarballData(bytes));
    assert.ok(analysis.types !== false);
    assert.deepEqual(analysis.problems, []);
  });

  test('the packed client declares its results by name, so that editors show Gate rather than its fields', () => {
    const declarations = ['blocklist', 'decide', 'gates', 'lookups', 'webhooks'].map((name) =>
      readFileSync(join(installed.modules, `${name}.d.ts`), 'utf8'),
    );
    for (const text of declarations) assert.doesNotMatch(text, /(Promise|Pages|Page)<\{/);
    assert.match(declarations.join(''), /get: \(gate_id: string, options\?: CallOptions\) => ApiPromise<Gate>/);
  });

  test('the packed client holds compiled modules and their types, no tests, and nothing else', () => {
    const files = readdirSync(join(installed.modules, '..'), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map(({ name }) => name);
    assert.deepEqual(
      files.filter((name) => !/^[a-z-]+\.(js|js\.map|d\.ts)$/.test(name) || /\.test\./.test(name)),
      ['package.json'],
    );
    const top = readdirSync(join(installed.modules, '../..')).sort();
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
    const expected = { ...told, action: 'block', listed: ['one.example', 'two.example'], guard: 'function' };
    assert.deepEqual(JSON.parse(installed.run(node20, 'check.js', source, {})), expected);
    const required = program(service.url, service.keys.staging, "require('@signalpost/client')") + gates;
    const commonJs = `(async () => {${required.replace('await import(', 'require(')}})();`;
    assert.deepEqual(JSON.parse(installed.run(node20, 'check.cjs', commonJs, {})), expected);
  });

  test('the packed client has types that a strict program finds in every module form and resolution', () => {
    installed.run(process.execPath, 'typed.ts', typedProgram, {});
    writeFileSync(join(installed.folder, 'typed.cts'), typedProgram);
    typeCheck(['typed.ts', 'typed.cts'], 'nodenext', '');
    typeCheck(['typed.ts'], 'bundler', '');
    // Current compilers no longer have this resolution; programs that are compiled with it have an older one.
    typeCheck(['typed.cts'], 'node10', '', '@arethetypeswrong/core/node_modules/typescript/bin/tsc');
  });

  describe('in the blocks of its documents', () => {
    const blocks = ['sdk/README.md', 'docs/client.md', 'docs/challenge.md', 'docs/outcomes.md'].flatMap(codeBlocks);
    const needing = (...packages: readonly string[]) =>
      blocks.filter((block) => block.packages.every((name) => packages.includes(name)));

    test('the packed client in the blocks of its documents type-checks, those for frameworks that are not installed here aside', () => {
      const checked = needing('express', 'fastify');
      const others = blocks.filter((block) => !checked.includes(block)).map(({ packages }) => packages[0]);
      assert.deepEqual(others, ['better-auth', '@auth/core', '@nestjs/common', 'hono']);
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
      const slow = new Signalpost({ apiKey: null, baseUrl: '${silent.url}', timeoutMs: 50 });
      const late = await slow.status().catch((error) => error instanceof TimeoutError);
      const refused = (() => { try { new Signalpost({ apiKey: 'x', baseUrl: '${silent.url}' }) } catch (error) { return error.message } })();
      return { ...told, late, refused: /An API key in a browser is public/.test(refused) };`;
    const source = program(service.url, service.keys.development, "await import('/client/index.js')") + slow;
    const browser = await chromium.launch({ executablePath: requireBrowser(), args: chromiumParameters });
    try {
      const tab = await browser.newPage();
      await tab.goto(page.url);
      const expected = { ...told, late: true, refused: true };
      assert.deepEqual(await tab.evaluate(`(async () => {${source}})()`), expected);
    } finally {
      await browser.close();
    }
  });
});

const typedProgram = `
import { type Gate, type Rule, Signalpost } from '@signalpost/client';
import { signInGuard } from '@signalpost/client/auth-js';
import { createChallenges } from '@signalpost/client/challenge';
import { fetchWithChallenge, watchForms } from '@signalpost/client/form';
import { signUpGuard as nest } from '@signalpost/client/nest';
import { fakeDecision, fakeSignals } from '@signalpost/client/testing';
import { signUpGuard as betterAuth } from '@signalpost/client/better-auth';
import { signUpGuard as express } from '@signalpost/client/express';
import { signUpGuard as fastify } from '@signalpost/client/fastify';
import { signUpGuard as hono } from '@signalpost/client/hono';
import { guardRoute } from '@signalpost/client/next';

const client = new Signalpost({ apiKey: 'key', baseUrl: 'http://127.0.0.1:8080' });
export async function useTypes(): Promise<Rule[]> {
  const gate: Gate = await client.gates.get('id');
  for await (const entry of client.blocklist.list()) entry.domain satisfies string;
  const decided = await client.gates.decide('id', { email: 'jane@example.com' });
  decided.signals.domain.name satisfies string;
  const { data, response, requestId } = await client.gates.get('id').withResponse();
  [data satisfies Gate, response.headers satisfies Headers, requestId satisfies string | null];
  const perhaps = await client.gates.decide('id', { email: 'jane@example.com' }, { failOpen: 'allow' });
  // @ts-expect-error: an outage has no signals
  perhaps.signals.domain;
  // @ts-expect-error: no such action
  client.gates.decide('id', { email: 'jane@example.com' }, { failOpen: 'deny' });
  return gate.rules;
}
fakeSignals({ domain: { disposable: true } }).domain.disposable satisfies boolean | null;
export const watch = () => watchForms({ baseUrl: 'http://127.0.0.1:8080', key: 'sp_pub_' });
fetchWithChallenge satisfies (url: string, init: RequestInit) => Promise<Response>;
class HttpException extends Error {
  readonly response: unknown;
  constructor(response: string | object, status: number) {
    super(String(status));
    this.response = response;
  }
}
const settings = { client, gateId: 'id' };
export const guards = [
  signInGuard(settings),
  betterAuth({ ...settings, APIError: class extends Error {} }),
  express({ ...settings, ip: (request) => request.ip }),
  fastify({ ...settings, challenge: createChallenges({ secret: 'x'.repeat(32) }) }),
  nest({ ...settings, HttpException }),
  express({ gateId: 'id', client: { gates: { decide: async () => fakeDecision('block') } } }),
  hono(settings),
  guardRoute(settings, () => new Response()),
];
`;
