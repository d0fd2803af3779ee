// Writes sdk/src/operations.ts, the client's view of openapi.json. --check fails when it is stale.
import { readFile, writeFile } from 'node:fs/promises';
import { clientTypes, type OpenApi } from './openapi-operations.ts';

const file = new URL('../sdk/src/operations.ts', import.meta.url);
const document: OpenApi = JSON.parse(await readFile(new URL('../openapi.json', import.meta.url), 'utf8'));
const text = clientTypes(document);
if (!process.argv.includes('--check')) await writeFile(file, text);
else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
  console.error('sdk/src/operations.ts is stale; run: npm run openapi');
  process.exitCode = 1;
}
