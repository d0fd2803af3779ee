import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join, matchesGlob, relative } from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/test-files.ts';
import { temporaryDirectory } from '../engines.ts';

const ignored = readFileSync(join(root, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

test('the image builds from the files that the Dockerfile copies, and runs the bundle without the source', () => {
  const [, build, service] = stages();
  assert.match(build ?? '', / AS build\n/);
  const built = temporaryDirectory();
  runStage(build ?? '', built, root);
  const image = temporaryDirectory();
  runStage(service ?? '', image, built);
  assert.equal(existsSync(join(image, 'src')), false);
  assert.ok(existsSync(join(image, 'console', 'dist', 'index.html.gz')));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.equal(node(image, ['bin/signalpost.js', '--version']), `${version}\n`);
});

/** The stages of the Dockerfile, split before each `FROM`. */
function stages(): string[] {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
  return dockerfile.split(/^(?=FROM )/m).slice(1);
}

/** Runs the steps of a stage in a folder, with the packages that are installed here. */
function runStage(stage: string, folder: string, built: string): void {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [, step = '', words = ''] of stage.matchAll(/^(COPY|RUN) (.+)$/gm)) {
    const parts = words.split(' ');
    if (step === 'RUN' && parts[0] === 'node') node(folder, parts.slice(1));
    else if (step === 'COPY' && parts[0] === '--from=build') copy(built, (parts[1] ?? '').replace('/app/', ''), folder);
    else if (step === 'COPY' && parts[0] === '--from=dependencies') continue;
    else if (step === 'COPY') for (const part of parts.slice(0, -1)) copy(root, part, folder, isSent);
  }
}

function copy(from: string, part: string, to: string, filter: (path: string) => boolean = () => true): void {
  assert.ok(filter(join(from, part)), `${part} is excluded by .dockerignore`);
  cpSync(join(from, part), join(to, part), { recursive: true, filter });
}

/** Whether a file of the checkout is sent to the builder: the last matching line decides. */
function isSent(path: string): boolean {
  const file = relative(root, path);
  const matches = (line: string) => ['', '/**'].some((below) => matchesGlob(file, `${line.replace('!', '')}${below}`));
  return ignored.findLast(matches)?.startsWith('!') ?? true;
}

function node(folder: string, words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
}
