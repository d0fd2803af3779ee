// Runs before `npm start` and `npm test`, on any Node version and before anything is installed:
// plain JavaScript, no dependencies. Installs the packages of package-lock.json, builds the console
// and, before a start, bundles the service; each step is skipped when it is up to date.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canBuildConsole, isConsoleBuilt } from './console-stamp.mjs';
import { canBundle, freshBundle } from './fresh-bundle.mjs';

const neededMajor = 24;
const root = fileURLToPath(new URL('..', import.meta.url));
const lockFile = join(root, 'package-lock.json');
const stampFile = join(root, 'node_modules', '.signalpost-stamp');
const pinnedNode = join(root, 'node_modules', 'node', 'bin', 'node');
const ownNodeWillDo = major(process.version) >= neededMajor;
// The pinned Node is a development dependency, so a machine with an older Node needs those to run the service, too.
const isForTests = process.argv.includes('--dev');
const needsDevelopment = isForTests || !ownNodeWillDo;
const lock = readFileSync(lockFile, 'utf8');
const mustBuild = canBuildConsole() && !isConsoleBuilt();

const problem = needsDevelopment || mustBuild ? provide(true) : provide(false);
if (problem !== null && (needsDevelopment || !mustBuild)) fail(problem);
if (problem !== null) {
  // Only the build's packages could not be installed: the service runs without them.
  const worse = provide(false);
  if (worse !== null) fail(worse);
}
if (mustBuild) {
  const reason = problem ?? run('Building the console …', 'build-console.ts');
  if (reason !== null) console.error(`The console was not built (${reason}); the service starts without it.`);
}
// The test run makes its bundle itself.
if (!isForTests && canBundle() && freshBundle() === null) {
  const reason = run('Bundling the service …', 'bundle-checkout.ts');
  if (reason !== null)
    console.error(`The service was not bundled (${reason}); it starts from its source, which takes longer.`);
}

/** Installs missing packages; returns the problem, or null. */
function provide(withDevelopment) {
  const enough = withDevelopment ? [stampOf('all')] : [stampOf('all'), stampOf('production')];
  if (enough.includes(readOr(stampFile, ''))) return null;
  const reason = reasonToInstall(withDevelopment);
  const wrong = (reason && install(reason, withDevelopment)) || (ownNodeWillDo ? null : pinnedNodeProblem());
  if (wrong) return wrong;
  writeFileSync(stampFile, stampOf(withDevelopment ? 'all' : 'production'));
  return null;
}

function stampOf(what) {
  return `${createHash('sha256').update(lock).digest('hex')} ${what}\n`;
}

function reasonToInstall(withDevelopment) {
  if (!existsSync(join(root, 'node_modules'))) return 'node_modules is missing';
  // npm records its installation there; the operator may have run it by hand.
  const installed = JSON.parse(readOr(join(root, 'node_modules', '.package-lock.json'), '{}')).packages ?? {};
  const wanted = Object.entries(JSON.parse(lock).packages).filter(
    ([path, entry]) =>
      path.startsWith('node_modules/') &&
      !entry.optional &&
      !entry.devOptional &&
      (withDevelopment || !entry.dev) &&
      !entry.link,
  );
  const stale = wanted.find(([path, entry]) => installed[path]?.version !== entry.version);
  return stale ? `${stale[0].slice('node_modules/'.length)} ${stale[1].version} is missing` : null;
}

function install(reason, withDevelopment) {
  console.error(`Installing dependencies (${reason}) …`);
  // Errors only: on an older Node, npm would warn about every package's engines, although the pinned Node runs them.
  const parameters = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  if (withDevelopment) parameters.push('--include=dev');
  const { status, error } = spawnSync('npm', parameters, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  return status === 0 ? null : `npm ci failed${error ? `: ${error.message}` : ''}`;
}

function pinnedNodeProblem() {
  const { stdout } = spawnSync(pinnedNode, ['--version'], { encoding: 'utf8' });
  if (major(stdout ?? '') >= neededMajor) return null;
  return `Node ${neededMajor} is needed, and the one in node_modules does not run. If install scripts are disabled, run: npm rebuild node --ignore-scripts=false`;
}

/** Runs a script on a recent Node; returns the problem, or null. */
function run(announcement, script) {
  console.error(announcement);
  const { status } = spawnSync(ownNodeWillDo ? process.execPath : pinnedNode, [join(root, 'scripts', script)], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return status === 0 ? null : 'the build failed';
}

function major(version) {
  return Number(/^v(\d+)\./.exec(version)?.[1] ?? 0);
}

function readOr(file, otherwise) {
  return existsSync(file) ? readFileSync(file, 'utf8') : otherwise;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
