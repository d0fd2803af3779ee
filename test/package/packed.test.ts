import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { root } from '../../scripts/test-files.ts';
import { codeBlocks } from '../../sdk/test/code-blocks.ts';
import { findNode20 } from '../../sdk/test/installed-client.ts';
import { until } from '../eventually.ts';
import { emptyPostgresUrl, missingService, postgresServer, redisUrl } from '../services.ts';
import { shareSnapshot } from '../shared-snapshot.ts';
import { type InstalledPackage, installPackage, pathWithThisNode } from './installed-package.ts';

const node20 = findNode20();
const withoutServices = (await missingService(postgresServer)) || (await missingService(redisUrl));
const withoutNode20 = node20 === null && process.env.CI !== 'true' ? 'this machine has no Node 20' : false;

describe('the packed service, installed in an empty folder', () => {
  let installed: InstalledPackage;
  before(() => {
    installed = installPackage();
  });
  after(() => installed[Symbol.dispose]());

  test('the packed service contains the command, bundled modules with source maps, and each data file once', () => {
    const { home } = installed;
    const documents = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md'];
    const linked = ['.env.example', 'bench', 'deploy', 'docs', 'openapi.json', 'sdk'];
    const parts = [...documents, ...linked, 'bin', 'console', 'data', 'dist', 'package.json'];
    assert.deepEqual(readdirSync(home).sort(), parts.sort());
    assert.deepEqual(
      [...readdirSync(join(home, 'bench')), ...readdirSync(join(home, 'sdk'))],
      ['README.md', 'README.md'],
    );
    assert.deepEqual(readdirSync(join(home, 'console')), ['dist']);
    assert.ok(existsSync(join(home, 'console', 'dist', 'index.html.br')));
    const files = globSync('dist/**/*.*', { cwd: home });
    const isExpected =
      /^dist\/([\w-]+\.js|[\w-]+\.js\.map|THIRD-PARTY\.txt|types\/src\/[\w/-]+\.d\.ts|packages\/(freemail|free-email-domains|is-burner-email)\/(package|names)\.json)$/;
    assert.deepEqual(
      files.filter((file) => !isExpected.test(file)),
      [],
    );
    const modules = modulesOf(home);
    assert.ok(modules.length < 80, `fewer files start faster, and there are ${modules.length}`);
    assert.deepEqual(
      modules.filter((file) => !existsSync(`${file}.map`)),
      [],
    );
  });

  test('the packed documents link only to files that are packed', () => {
    const documents = globSync('{*.md,{bench,data,deploy,docs,sdk}/**/*.md}', { cwd: installed.home });
    assert.ok(documents.includes('README.md') && documents.includes('docs/quick-start.md'));
    const missing = documents.flatMap((document) => {
      const links = readFileSync(join(installed.home, document), 'utf8').matchAll(
        /\]\((?!https?:|#|mailto:)([^)#\s]+)/g,
      );
      const targets = Array.from(links, ([, target = '']) => join(dirname(document), target));
      return targets.filter((target) => !existsSync(join(installed.home, target)));
    });
    assert.deepEqual(missing, []);
  });

  test('the packed service contains every module that runs in a separate process', () => {
    const started = modulesOf(installed.home).flatMap((file) => {
      const calls = readFileSync(file, 'utf8').matchAll(/moduleBeside\(import\.meta\.url, "(.+?)"/g);
      return [...calls].map(([, name]) => join(file, '..', `${name}.js`));
    });
    assert.ok(started.length >= 3);
    assert.deepEqual(
      started.filter((path) => !existsSync(path)),
      [],
    );
  });

  test('the packed service includes the licence of every package that it bundles', () => {
    const bundled = new Set(
      modulesOf(installed.home)
        .flatMap((file): string[] => JSON.parse(readFileSync(`${file}.map`, 'utf8')).sources)
        .flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []),
    );
    assert.ok(bundled.has('kysely') && bundled.has('pino'));
    const notice = readFileSync(join(installed.home, 'dist', 'THIRD-PARTY.txt'), 'utf8');
    const named = notice.matchAll(/^-{80}\n\n(\S+) \d\S* \(\S+\)\n\n.*(?:MIT|Apache|ISC|BSD|Copyright)/gim);
    assert.deepEqual(Array.from(named, ([, name]) => name).sort(), [...bundled].sort());
  });

  test('the packed service shows source lines in a stack trace with --enable-source-maps', () => {
    const program = `import { openSignals } from 'signalpost';
      await openSignals({ logLevel: 'loud' }).catch((error) => console.log(error.stack));`;
    const printed = installed.run('node', ['--enable-source-maps', '--input-type=module', '--eval', program]);
    assert.match(printed, /\bat libraryConfig \(.*\/src\/library\/library-config\.ts:\d+:\d+\)/);
  });

  test('publint and arethetypeswrong find no problem in the packed service', async () => {
    const bytes = readFileSync(installed.tarball);
    const pkg = JSON.parse(readFileSync(join(installed.home, 'package.json'), 'utf8'));
    const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const { messages } = await publint({ pack: { tarball }, strict: true });
    assert.deepEqual(
      messages.map((message) => formatMessage(message, pkg)),
      [],
    );
    const analysis = await checkPackage(createPackageFromTarballData(bytes));
    assert.ok(analysis.types !== false);
    // The package is ESM only: a recent Node can require such modules, and resolution without `exports` does not apply to them.
    const isOfAnEsmPackage = (problem: object): boolean =>
      !('resolutionKind' in problem) || !['node10', 'node16-cjs'].includes(String(problem.resolutionKind));
    assert.deepEqual(analysis.problems.filter(isOfAnEsmPackage), []);
  });

  /** The data directory of the first call, whose lists later tests use. */
  let checked: string;

  test('the packed service checks a value on the first call, building its lists', () => {
    checked = join(installed.folder, 'checked');
    const words = ['--no', 'signalpost', 'check', 'jane@mailinator.com', '--offline', '--json'];
    const [answer] = JSON.parse(installed.run('npx', words, { DATA_DIR: checked }));
    assert.equal(answer.disposable, true);
    assert.ok(existsSync(join(checked, 'lists', 'snapshot.bin')));
  });

  test('the packed service knows the commands of the checkout', () => {
    const ofCheckout = installed.run('node', [join(root, 'bin', 'signalpost.js'), '--help']);
    assert.equal(installed.run('npx', ['--no', '--', 'signalpost', '--help']), ofCheckout);
  });

  test('the packed service serves the API and the console with two workers, which compile IP networks once, in the background', async () => {
    await using service = await serve(installed, { DATA_DIR: checked, WORKERS: '2', DRAIN_MS: '300' });
    const { address } = service;
    assert.deepEqual(await disposableOf(service), { domain: 'mailinator.com', disposable: true });
    const page = await fetch(`${address}/console/production/gates`);
    const [script = ''] = /\/console\/assets\/[^"]+\.js/.exec(await page.text()) ?? [];
    const { status, headers: told } = await fetch(`${address}${script}`);
    assert.deepEqual(
      [page.status, status, told.get('content-encoding')],
      [200, 200, 'gzip'],
      'the built console is included',
    );
    assert.equal((await fetch(`${address}/docs`)).status, 200);
    const times = (text: string) => service.stderr().split(text).length - 1;
    await until(() => times('all workers are listening') > 0 && times('networks compiled') > 0, 120_000);
    assert.ok(existsSync(join(checked, 'lists', 'networks.bin')));
    await service.stop();
    assert.equal(times('networks compiled'), 1);
  });

  test('the packed service serves from PostgreSQL and Redis, with two workers', { skip: withoutServices }, async () => {
    await using service = await serve(installed, {
      DATA_DIR: withSnapshot(join(installed.folder, 'served-by-two')),
      DATABASE_URL: await emptyPostgresUrl(),
      REDIS_URL: await redisUrl(),
      WORKERS: '2',
    });
    assert.deepEqual(await disposableOf(service), { domain: 'mailinator.com', disposable: true });
  });

  describe('imported', () => {
    const blocks = codeBlocks('docs/library.md').map(({ name, source }, index) => ({
      name,
      source,
      file: `block-${index}.ts`,
    }));
    before(() => {
      withSnapshot(join(installed.folder, 'var'));
      for (const { file, source } of blocks) writeFileSync(join(installed.folder, file), source);
    });

    for (const resolution of ['nodenext', 'bundler']) {
      test(`the imported package has types that a strict program finds with the module resolution ${resolution}`, () => {
        writeFileSync(join(installed.folder, 'typed.ts'), typedProgram);
        const required =
          "import { openSignals, type Signals } from 'signalpost';\nexport const open = (): Promise<Signals> => openSignals();\n";
        writeFileSync(join(installed.folder, 'typed.cts'), required);
        const module = resolution === 'bundler' ? 'esnext' : resolution;
        const strict = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022', '--types', ''];
        const found = ['--module', module, '--moduleResolution', resolution, '--lib', 'es2022,dom'];
        const files = ['typed.ts', 'typed.cts', ...blocks.map(({ file }) => file)];
        installed.run(join(root, 'node_modules', '.bin', 'tsc'), [...strict, ...found, ...files]);
      });
    }

    for (const { name, file, source } of blocks) {
      test(`the imported package runs: ${name}`, () => {
        const printed = installed.run('node', [file]);
        for (const [, expected = ''] of source.matchAll(/^console\.log\(.*\); \/\/ (.+)$/gm)) {
          assert.ok(printed.includes(`${expected}\n`), `${expected} is not in ${printed}`);
        }
      });
    }

    test('the imported package can be required by CommonJS, and the command checks a whole file', () => {
      const env = { DATA_DIR: join(installed.folder, 'var') };
      writeFileSync(
        join(installed.folder, 'required.cjs'),
        `require('signalpost').openSignals({ offline: true }).then(async (signals) => {
          console.log(signals.emailNow('joe@mailinator.com').disposable);
          await signals.close();
        });`,
      );
      assert.equal(installed.run('node', ['required.cjs']), 'true\n');
      writeFileSync(join(installed.folder, 'people.csv'), 'email\njoe@mailinator.com\n');
      const words = ['--no', 'signalpost', 'bulk', 'people.csv', '--offline'];
      assert.match(installed.run('npx', words, env), /^joe@mailinator\.com,true,joe@mailinator\.com,true,/m);
    });

    test('the imported package rejects Node 20 as too old', { skip: withoutNode20 }, () => {
      assert.ok(node20 !== null, 'this machine has no Node 20');
      const program =
        "import { openSignals } from 'signalpost'; await openSignals().catch((e) => console.log(e.message));";
      const printed = installed.run(node20, ['--input-type=module', '--eval', program]);
      assert.match(printed, /^Signalpost needs Node 24 or newer, this is v20\.\S+\n$/);
    });
  });

  test('the packed command rejects Node 20 in one sentence that says what to do', {
    skip: withoutNode20,
  }, () => {
    assert.ok(node20 !== null, 'this machine has no Node 20');
    const program = join(installed.home, 'bin', 'signalpost.js');
    const { status, stderr } = spawnSync(node20, [program, 'serve'], { cwd: installed.folder, encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^Signalpost needs Node 24 or newer, this is v20\.\S+\. Install one, .* with: npm install node@24\n$/,
    );
  });
});

/** Creates a data directory whose lists are built: other tests prove that the package builds them. */
function withSnapshot(dataDir: string): string {
  mkdirSync(dataDir);
  shareSnapshot(dataDir);
  return dataDir;
}

interface Served extends AsyncDisposable {
  readonly address: string;
  readonly key: string;
  stderr(): string;
  stop(): Promise<void>;
}

/** Starts the installed command as users do, and waits until it listens. */
async function serve({ folder }: InstalledPackage, env: NodeJS.ProcessEnv): Promise<Served> {
  const child = spawn(join(folder, 'node_modules', '.bin', 'signalpost'), ['serve', '--json'], {
    env: { PATH: pathWithThisNode, OFFLINE: 'true', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let logged = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    logged += chunk;
  });
  const ended = once(child, 'close');
  const line = once(createInterface({ input: child.stdout }), 'line');
  const [said] = await Promise.race([line, ended.then(() => assert.fail(`it exited before it listened: ${logged}`))]);
  const { address, keys } = JSON.parse(said);
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { address, key: keys[0].key, stderr: () => logged, stop, [Symbol.asyncDispose]: stop };
}

async function disposableOf({ address, key }: Served): Promise<object> {
  const answer = await fetch(`${address}/domain/mailinator.com`, { headers: { authorization: `Bearer ${key}` } });
  const { domain, disposable } = (await answer.json()) as Record<string, unknown>;
  return { domain, disposable };
}

function modulesOf(home: string): string[] {
  return globSync('dist/*.js', { cwd: home }).map((file) => join(home, file));
}

const typedProgram = `
import { type EmailSignals, type GateRules, openSignals, type Signals } from 'signalpost';

const signals: Signals = await openSignals({ offline: true });
const known: EmailSignals | null = signals.emailNow('jane@example.com');
if (known !== null) {
  known.disposable satisfies boolean;
  known.mx satisfies boolean | null;
  known.mx_records satisfies ReadonlyArray<{ hostname: string; priority: number }>;
}
const rules: GateRules = [{ name: 'None', action: 'allow', conditions: [] }];
(await signals.decide(rules, { domain: 'example.com', ip: '192.0.2.1' })).action satisfies 'allow' | 'block' | 'challenge';
// @ts-expect-error: no such operator
signals.decideNow([{ name: 'A', action: 'allow', conditions: [{ field: 'domain.mx', operator: 'is', value: 1 }] }], { domain: 'x' });
// @ts-expect-error: a subject is an address or a domain
signals.decideNow('signup', { ip: '192.0.2.1' });
await signals.close();
export {};
`;
