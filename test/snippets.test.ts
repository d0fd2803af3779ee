import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { curl } from '../snippets/curl.ts';
import { languages } from '../snippets/languages.ts';
import type { Language, SignUpDecision } from '../snippets/snippet.ts';
import { temporaryDirectory } from './engines.ts';
import { gateClient } from './gate-client.ts';
import { type StartedApp, startApp } from './start-app.ts';

interface Runner {
  readonly program: string;
  readonly file: string;
  /** Before the file's name. */
  readonly options: readonly string[];
}

/** How a snippet is run where its program is installed; nothing is installed for it. */
const runners: Readonly<Record<string, Runner>> = {
  curl: { program: 'curl', file: 'call.sh', options: [] },
  TypeScript: { program: process.execPath, file: 'call.ts', options: [] },
  Python: { program: 'python3', file: 'call.py', options: [] },
  PHP: { program: 'php', file: 'call.php', options: [] },
  Ruby: { program: 'ruby', file: 'call.rb', options: [] },
  Go: { program: 'go', file: 'call.go', options: ['run'] },
  Java: { program: 'java', file: 'SignUp.java', options: ['-XX:TieredStopAtLevel=1', '-Xshare:auto'] },
};

/**
 * Go compiles its standard library into a cache: that takes half a minute of processor time for every empty one, without optimisation
 * and C a third less.
 */
const goSettings = {
  GOCACHE: join(import.meta.dirname, '..', 'node_modules', '.cache', 'go'),
  GOFLAGS: "'-gcflags=all=-N -l'",
  CGO_ENABLED: '0',
};

const isInstalled = (program: string): boolean =>
  [program, ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, program))].some(
    (path) => path.includes('/') && existsSync(path),
  );

const installed = languages.filter(({ name }) => isInstalled(runners[name]?.program ?? ''));

describe('snippets', () => {
  const folder = temporaryDirectory();
  let started: StartedApp;
  let baseUrl: string;
  let gateId: string;
  before(async () => {
    started = await startApp();
    baseUrl = await started.app.server.listen({ port: 0, host: '127.0.0.1' });
    gateId = await createGate(started);
    writePackage(folder);
  });
  after(async () => {
    await started.close();
    rmSync(folder, { recursive: true });
  });

  let runs = 0;
  const run = (language: Language, source: string): Promise<Ran> => {
    runs += 1;
    return runSnippet(join(folder, String(runs)), runners[language.name], source, started.keys.production);
  };
  const decide = (language: Language, changes: Partial<SignUpDecision>, service = {}) => {
    const standard = { gateId, email: 'jane@example.com', ip: '203.0.113.7' };
    const decision = { ...standard, onFailure: 'allow', onChallenge: 'confirm', ...changes } as const;
    return language.decide({ baseUrl, key: null, ...service }, decision);
  };
  const nowhere = { baseUrl: 'http://127.0.0.1:9', key: 'sp_dev_test' };

  it(`run here: ${installed.map(({ name }) => name).join(', ')}; only their shape is checked: ${languages
    .filter((language) => !installed.includes(language))
    .map(({ name }) => name)
    .join(', ')}`, () => {
    assert.ok(installed.some(({ name }) => name === 'TypeScript'));
  });

  for (const language of installed) {
    it(`${language.name} makes a call with quotes, an empty list, null and other scripts in its body`, async () => {
      const body = { name: `Bob's "gate" #{1} $HOME \\ \` 日本`, description: null, rules: [] };
      const call = { method: 'POST', target: '/v1/gates', body };
      const { stdout } = await run(language, language.call({ baseUrl, key: null }, call));
      const { data } = JSON.parse(stdout.slice(stdout.indexOf('{')));
      assert.deepEqual([data.name, data.description, data.rules], [body.name, null, []]);
    });
  }

  for (const language of installed.filter(({ name }) => name !== 'curl')) {
    it(`${language.name} follows the gate and its policies, blocks an invalid address, and fails with a wrong key`, async () => {
      const email = 'joe@challenged.example';
      const cases: readonly (readonly [string, string])[] = [
        ['block', decide(language, { email: 'joe@blocked.example' })],
        ['challenge', decide(language, { email })],
        ['allow', decide(language, { email, onChallenge: 'allow' })],
        ['block', decide(language, { email, onChallenge: 'block' })],
        ['block', decide(language, { email: 'no "address"' })],
        ['allow', decide(language, {}, nowhere)],
        ['block', decide(language, { onFailure: 'block' }, nowhere)],
        ['failed', decide(language, {}, { key: 'sp_prd_wrong' })],
      ];
      const sources = cases.map(([, source]) => source);
      const printed =
        language.name === 'Java'
          ? (await run(language, inOneProgram(sources))).stdout.trim().split('\n')
          : await Promise.all(sources.map((source) => run(language, source).then(({ stdout }) => stdout || 'failed')));
      assert.deepEqual(
        printed.map((text) => /^\w+/.exec(text)?.[0]),
        cases.map(([expected]) => expected),
      );
      // The JDK has no JSON parser to read the message with.
      if (language.name !== 'Java') assert.match(printed[0] ?? '', /Use a lasting address, it's "better"\./);
    });
  }

  it('curl prints the decision, or that of its failure policy', {
    skip: !isInstalled('curl') && 'no curl',
  }, async () => {
    const decided = await run(curl, decide(curl, { email: 'joe@blocked.example' }));
    assert.match(decided.stdout, /"decision":\{"action":"block"/);
    const failed = await run(curl, decide(curl, { onFailure: 'block' }, nowhere));
    assert.equal(failed.stdout, '{"decision": {"action": "block"}}\n');
  });

  for (const language of languages) {
    it(`${language.name} has the URL, the gate, the given key and both policies, and no key of the environment then`, () => {
      const source = decide(
        language,
        { onFailure: 'block', onChallenge: 'block' },
        { baseUrl: 'https://signals.example', key: 'sp_prd_mine' },
      );
      for (const part of ['https://signals.example', gateId, 'sp_prd_mine', 'No answer: block the sign-up.'])
        assert.ok(source.includes(part), part);
      assert.doesNotMatch(source, /SIGNALPOST_KEY|undefined|\[object/);
      assert.match(source, /challenge/);
      for (const method of ['GET', 'PATCH', 'DELETE'])
        assert.match(language.call({ baseUrl, key: null }, { method, target: '/x' }), /SIGNALPOST_KEY/);
    });
  }
});

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function runSnippet(folder: string, runner: Runner | undefined, source: string, key: string): Promise<Ran> {
  assert.ok(runner);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, runner.file);
  writeFileSync(file, source);
  const program = runner.program === 'curl' ? 'sh' : runner.program;
  const env = { PATH: process.env.PATH, HOME: folder, ...goSettings, SIGNALPOST_KEY: key, LANG: 'C.UTF-8' };
  return new Promise((resolve) => {
    const child = execFile(program, [...runner.options, file], { env, cwd: folder }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

/** Compiles all snippets together, because each start of the compiler takes seconds. */
function inOneProgram(sources: readonly string[]): string {
  const imports = sources[0]?.match(/^import .*$/gm) ?? [];
  const classes = sources.map((source, index) =>
    source
      .replaceAll(/^import .*$/gm, '')
      .replace('public class', 'class')
      .replaceAll('SignUp', `SignUp${index}`),
  );
  const calls = sources.map(
    (_, index) =>
      `try { SignUp${index}.main(arguments); } catch (IllegalStateException error) { System.out.println("failed"); }`,
  );
  const main = `public class Main { public static void main(String[] arguments) throws Exception { ${calls.join('\n')} } }`;
  return [...imports, main, ...classes].join('\n');
}

/** `@signalpost/client` as an installed package. */
function writePackage(folder: string): void {
  const client = join(folder, 'node_modules', '@signalpost', 'client');
  mkdirSync(client, { recursive: true });
  writeFileSync(join(client, 'package.json'), '{"name": "@signalpost/client", "type": "module", "main": "index.js"}');
  const source = new URL('../sdk/src/index.ts', import.meta.url).href;
  writeFileSync(join(client, 'index.js'), `export * from ${JSON.stringify(source)};\n`);
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
}

async function createGate(started: StartedApp): Promise<string> {
  const client = gateClient(started);
  const { id } = await client.createGate();
  const rule = (name: string, action: string, message: string) => ({
    name,
    action,
    message,
    match: 'all',
    conditions: [{ field: 'domain.name', operator: 'equals', value: `${name}.example` }],
  });
  await client.addRule(id, rule('blocked', 'block', `Use a lasting address, it's "better".`));
  await client.addRule(id, rule('challenged', 'challenge', 'Confirm your address.'));
  return id;
}
