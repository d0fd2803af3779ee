// Generates openapi.json, the client's operations from it, the client's version, and the console's operations. --check fails when one is stale.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp } from '../src/app/app.ts';
import { readConfig } from '../src/config.ts';
import { shareSnapshot } from '../test/shared-snapshot.ts';
import { type OpenApi, operationsModule } from './openapi-operations.ts';

const root = join(import.meta.dirname, '..');

for (const [file, text] of Object.entries(await generated())) {
  const path = join(root, file);
  if (!process.argv.includes('--check')) await writeFile(path, text);
  else if ((await readFile(path, 'utf8').catch(() => '')) !== text) {
    console.error(`${file} is stale; run: npm run openapi`);
    process.exitCode = 1;
  }
}

/** Each generated file and its text. */
async function generated(): Promise<Record<string, string>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'signalpost-openapi-'));
  try {
    shareSnapshot(dataDir);
    const config = readConfig({ DATA_DIR: dataDir, OFFLINE: 'true' });
    const app = await createApp(config, { log: pino({ level: 'silent' }), now: Date.now });
    const document = `${JSON.stringify(app.openapi, null, 2)}\n`;
    const console: OpenApi = JSON.parse(JSON.stringify(app.consoleOpenapi));
    await app.close();
    const { version } = JSON.parse(await readFile(join(root, 'sdk/package.json'), 'utf8'));
    return {
      'openapi.json': document,
      'sdk/src/version.ts': versionModule(version),
      'sdk/src/operations.ts': operationsModule(JSON.parse(document), 'openapi.json'),
      'console/src/api/operations.ts': operationsModule(console, "the console's endpoints"),
    };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function versionModule(version: string): string {
  return [
    '// Generated from package.json by scripts/openapi.ts; do not edit, run: npm run openapi\n\n',
    `/** The version of this package. */\nexport const version = '${version}';\n`,
  ].join('');
}
