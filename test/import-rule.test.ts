import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, test } from 'node:test';
import { growingFolder, importers, maxFilesPerFolder, oneFolder, violations } from './import-rule.ts';

const root = join(import.meta.dirname, '..');
const sources = new Map(
  ['src', 'csv', 'sdk', 'snippets', 'console']
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,js}`, { cwd: root, exclude: isNotSource }))
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
);

function isNotSource(path: string): boolean {
  return /(^|\/)(node_modules|dist)$/.test(path);
}

test('every file imports only what the architecture allows', () => {
  assert.ok(sources.size > 0);
  assert.deepEqual(
    [...sources].flatMap(([file, source]) => violations(file, source)),
    [],
  );
});

test('no folder of src, sdk or console has too many files', () => {
  const counts = new Map<string, number>();
  for (const file of sources.keys()) counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1);
  assert.deepEqual(
    [...counts].filter(([folder, count]) => folder !== growingFolder && count > maxFilesPerFolder),
    [],
  );
});

for (const name of oneFolder) {
  test(`${name} is used in one folder`, () => {
    assert.ok(importers(name, sources).length <= 1, importers(name, sources).join(', '));
  });
}

describe('the import rule reports', () => {
  const found: readonly (readonly [string, string, string, RegExp])[] = [
    [
      'a pure folder that imports another',
      'src/address/a.ts',
      "import { x } from '../signals/x.ts';",
      /no other folder/,
    ],
    [
      'a product folder in another',
      'src/gates/a.ts',
      "import type { Key } from '../accounts/keys.ts';",
      /gates may import/,
    ],
    ['a product folder in lookups', 'src/lookups/a.ts', "import { b } from '../blocklist/b.ts';", /lookups may import/],
    ['a product folder in http', 'src/http/a.ts', "export { k } from '../accounts/keys.ts';", /http may import/],
    [
      'the database outside a store',
      'src/gates/gate.ts',
      "import { recordChange } from '../db/changes.ts';",
      /only a store/,
    ],
    [
      'behaviour in a store',
      'src/gates/gates-store.ts',
      "import { compile } from './compile.ts';",
      /only stores and types/,
    ],
    ['the server in a store', 'src/gates/gates-store.ts', "import { e } from '../http/endpoint.ts';", /db only/],
    [
      'input and output in a pure folder',
      'src/signals/mx.ts',
      "import { readFile } from 'node:fs/promises';",
      /no I\/O/,
    ],
    ['pg outside its folder', 'src/accounts/keys-store.ts', "import { Pool } from 'pg';", /pg belongs in/],
    [
      'SQLite outside its folder, even as a type',
      'src/app/app.ts',
      "import type { DatabaseSync } from 'node:sqlite';",
      /node:sqlite belongs in/,
    ],
    ['sockets outside net', 'src/signals/mx.ts', "import 'node:dgram';", /node:dgram belongs in/],
    ['a dynamic import', 'src/http/a.ts', "const x = await import('../gates/gate.ts');", /http may import/],
    [
      'an import over several lines',
      'src/http/a.ts',
      "import {\n  a,\n  b,\n} from '../gates/gate.ts';",
      /http may import/,
    ],
    ['the environment', 'src/http/a.ts', 'const port = process.env.PORT;', /process\.env belongs in/],
    ['the composition root below itself', 'src/net/dns/a.ts', "import { app } from '../../app/app.ts';", /import app$/],
    [
      'the composition root in the wiring of a feature, even as a type',
      'src/gates/feature.ts',
      "import type { App } from '../app/app.ts';",
      /import app$/,
    ],
    [
      'the contract of a feature in its behaviour',
      'src/gates/gates.ts',
      "import type { Shared } from '../feature.ts';",
      /gates may import/,
    ],
    [
      'a feature in the contract of features',
      'src/feature.ts',
      "import type { Gate } from './gates/gate.ts';",
      /feature\.ts may import/,
    ],
    [
      'a subfolder that imports one above it',
      'src/gates/rules/a.ts',
      "import { gate } from '../gate.ts';",
      /gates\/rules may import/,
    ],
    [
      'a sibling subfolder that it does not build on',
      'src/gates/decisions/a.ts',
      "import { stats } from '../reports/stats.ts';",
      /gates\/decisions may import/,
    ],
    ['a feature in a leaf', 'src/platform/a.ts', "import { gate } from '../gates/gate.ts';", /platform is a leaf/],
    ['a folder it has no line for', 'src/misc/a.ts', "import { b } from '../db/db.ts';", /no line for misc/],
    ['the service in the SDK', 'sdk/src/client.ts', "import type { X } from '../../src/gates/gate.ts';", /outside src/],
  ];
  for (const [name, file, source, line] of found) {
    test(`the import rule reports ${name}`, () => {
      const [first, ...others] = violations(file, source);
      assert.match(first ?? 'nothing', line);
      assert.ok(first?.startsWith(file));
      assert.deepEqual(others, []);
    });
  }
});

describe('the import rule accepts', () => {
  const fine: readonly (readonly [string, string])[] = [
    ['src/gates/gates-store.ts', "import { sql } from 'kysely';\nimport { recordChange } from '../db/changes.ts';"],
    [
      'src/gates/gates-store.ts',
      "import { type Gate, type Rule } from './gate.ts';\nimport { AppError } from '../errors.ts';",
    ],
    ['src/gates/gates-endpoints.ts', "import { endpoint } from '../http/endpoint.ts';"],
    ['src/app/app.ts', "import { gates } from '../gates/gate.ts';\nimport { keys } from '../accounts/keys.ts';"],
    ['src/gates/decisions/a.ts', "import { gate } from '../gate.ts';\nimport { rule } from '../rules/rule.ts';"],
    [
      'src/lists/refresh/a.ts',
      "import { dns } from '../../net/dns/dns.ts';\nimport { refresh } from '../../platform/jobs.ts';",
    ],
    [
      'src/gates/feature.ts',
      "import type { Feature } from '../feature.ts';\nimport { x } from '../knowledge/feature.ts';",
    ],
    ['src/cli/serve-command.ts', "import { createApp } from '../app/app.ts';"],
    ['src/config.ts', 'export const port = process.env.PORT;'],
    [
      'src/http/a.ts',
      "/** Not process.env. */\n// import { a } from '../gates/gate.ts';\nconst url = 'http://x'; // process.env",
    ],
    ['src/address/normalize.ts', "import rules from '../../data/normalisation.json' with { type: 'json' };"],
  ];
  for (const [file, source] of fine) {
    test(`the import rule accepts ${file}: ${source.split('\n')[0]}`, () =>
      assert.deepEqual(violations(file, source), []));
  }
});

test('the import rule reports a package that is used in two folders', () => {
  const twice = new Map([
    ['src/a/x.ts', "import { Redis } from 'ioredis';"],
    ['src/b/y.ts', "import type { Redis } from 'ioredis';"],
  ]);
  assert.deepEqual(importers('ioredis', twice), ['src/a', 'src/b']);
});
