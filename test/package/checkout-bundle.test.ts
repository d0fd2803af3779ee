import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/test-files.ts';
import { temporaryDirectory } from '../engines.ts';

/** Prints at exit which folder the command was loaded from. */
const printFolder = `
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      const [, folder] = /^(.+)\\/cli\\.[jt]s$/.exec(url) ?? [];
      if (folder !== undefined) console.error(folder);
      return next(url, context);
    },
  });
`;

test('a checkout runs the bundle that set-up created, and its source once that has changed', () => {
  const checkout = copyOfCheckout();
  assert.deepEqual(ranFrom(checkout), source(checkout), 'no bundle before set-up');
  assert.match(setUp(checkout), /^Bundling the service …\n$/);
  const [first] = bundles(checkout);
  assert.deepEqual(ranFrom(checkout), bundled(checkout, first));
  assert.equal(setUp(checkout), '', 'bundled once');
  assert.deepEqual(ranFrom(checkout, { SIGNALPOST_SOURCE: 'true' }), source(checkout), 'tests run the source');

  appendFileSync(join(checkout, 'src', 'config.test.ts'), '\n');
  assert.deepEqual(ranFrom(checkout), bundled(checkout, first), 'tests are not part of the bundle');
  appendFileSync(join(checkout, 'data', 'plans.json'), '\n');
  assert.deepEqual(ranFrom(checkout), source(checkout), 'imported data is part of the bundle');
  setUp(checkout);
  const [, second] = bundles(checkout);
  assert.deepEqual(ranFrom(checkout), bundled(checkout, second));
  assert.ok(existsSync(join(checkout, 'build', first ?? '', 'cli.js')), 'a service may still run the previous bundle');

  appendFileSync(join(checkout, 'src', 'cli', 'cli.ts'), '\n');
  setUp(checkout);
  assert.deepEqual(bundles(checkout), [second, bundles(checkout)[1]]);
});

test('when bundling fails, set-up reports it, leaves no files, and the service starts from source', () => {
  const checkout = copyOfCheckout();
  appendFileSync(join(checkout, 'src', 'cli', 'cli.ts'), "import './not-there.ts';\n");
  const said = setUp(checkout);
  assert.match(said, /not-there/);
  assert.match(
    said,
    /The service was not bundled \(the build failed\); it starts from its source, which takes longer\.\n$/,
  );
  assert.deepEqual(bundles(checkout), []);
});

/** Copies the inputs of a bundle, and links the installed packages. */
function copyOfCheckout(): string {
  const folder = temporaryDirectory();
  for (const part of ['bin', 'data', 'scripts', 'csv', 'snippets', 'src', 'package.json', 'package-lock.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Runs the set-up of `npm start`; returns its output. */
function setUp(checkout: string): string {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/setup.mjs'], { cwd: checkout, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stderr;
}

function bundles(checkout: string): string[] {
  return readdirSync(join(checkout, 'build'))
    .filter((name) => !name.endsWith('.json'))
    .sort();
}

/** The folder that a command was loaded from, and its exit code. */
function ranFrom(checkout: string, env: NodeJS.ProcessEnv = {}): object {
  const hook = `data:text/javascript,${encodeURIComponent(printFolder)}`;
  const words = ['--import', hook, 'bin/signalpost.js', 'help', 'serve'];
  const { status, stderr } = spawnSync(process.execPath, words, {
    cwd: checkout,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  });
  return { status, folder: stderr.trim() };
}

function source(checkout: string): object {
  return { status: 0, folder: pathToFileURL(join(checkout, 'src', 'cli')).href };
}

function bundled(checkout: string, name = 'none'): object {
  return { status: 0, folder: pathToFileURL(join(checkout, 'build', name)).href };
}
