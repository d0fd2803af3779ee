import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp } from '../src/app/app.ts';
import { readConfig } from '../src/config.ts';

const file = new URL('../openapi.json', import.meta.url);
const dataDir = await mkdtemp(join(tmpdir(), 'signalpost-openapi-'));
try {
  const config = readConfig({ DATA_DIR: dataDir, OFFLINE: 'true' });
  const app = await createApp(config, { log: pino({ level: 'silent' }), now: Date.now });
  const document = `${JSON.stringify(app.openapi, null, 2)}\n`;
  await app.close();
  if (!process.argv.includes('--check')) await writeFile(file, document);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== document) {
    console.error('openapi.json is stale; run: npm run openapi');
    process.exitCode = 1;
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
