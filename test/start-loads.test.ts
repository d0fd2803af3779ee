import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryDirectory } from './engines.ts';
import { serveSignalpost } from './signalpost-process.ts';

/** Prints the loaded packages at exit. */
const listPackages = `
  import { registerHooks } from 'node:module';
  const packages = new Set();
  registerHooks({
    load(url, context, next) {
      const [, name] = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? [];
      if (name !== undefined) packages.add(name);
      return next(url, context);
    },
  });
  process.on('exit', () => console.error(JSON.stringify({ packages: [...packages] })));
`;

/** Packages that are loaded on demand: for a domain that is not ASCII, a regular expression, an IP database, another storage. */
const forLater = ['tr46', 're2js', 'mmdb-lib', 'pg', 'ioredis', 'pino-pretty', 'fastify'];

test('a start on the embedded database loads no package that only some requests or settings need', async () => {
  const service = await serveSignalpost({
    DATA_DIR: temporaryDirectory(),
    // In the bundle no package is a folder of its own.
    SIGNALPOST_SOURCE: 'true',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(listPackages)}`,
  });
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
  const { stderr } = await service.stop();
  const { packages }: { packages: string[] } = JSON.parse(/^\{"packages":.*\}$/m.exec(stderr)?.[0] ?? 'null');
  assert.ok(packages.includes('kysely'), 'packages are recorded');
  assert.deepEqual(
    packages.filter((name) => forLater.includes(name)),
    [],
  );
});
