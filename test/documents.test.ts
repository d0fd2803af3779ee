import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Block, blocksOf, documents } from './document-blocks.ts';
import { temporaryDirectory } from './engines.ts';
import { runJson, type Serving, serveSignalpost } from './signalpost-process.ts';

const root = join(import.meta.dirname, '..');

describe('JSON blocks in the documents', () => {
  for (const { place, source } of documents.flatMap(blocksOf).filter(({ language }) => language === 'json')) {
    it(`the block ${place} is JSON`, () => {
      assert.doesNotThrow(() => JSON.parse(source));
    });
  }
});

describe('links in the documents', () => {
  for (const document of documents) {
    it(`${document} links only to existing files`, () => {
      const text = readFileSync(join(root, document), 'utf8');
      const targets = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, target = '']) => target);
      for (const target of targets) assert.ok(existsSync(join(root, dirname(document), target)), target);
    });
  }
});

describe('commands in the documents', () => {
  const folder = temporaryDirectory();
  const dataDir = join(folder, 'var');
  let service: Serving;
  let placeholders: Readonly<Record<string, string>>;
  before(async () => {
    mkdirSync(dataDir);
    mkdirSync(join(folder, 'backups'));
    service = await serveSignalpost({ DATA_DIR: dataDir });
    placeholders = await makeThings(service, dataDir, folder);
    writeTools(folder);
  });
  after(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  const scripts = documents.map((document) => ({
    document,
    blocks: blocksOf(document).filter(({ language, notRun }) => language === 'sh' && notRun === null),
  }));
  for (const { document, blocks } of scripts.filter((one) => one.blocks.length > 0)) {
    it(`${document}: every block of shell commands succeeds, one after the other`, async () => {
      const { code, said } = await runShell(scriptOf(blocks, placeholders), folder, {
        DATA_DIR: dataDir,
        OFFLINE: 'true',
        ...placeholders,
      });
      assert.equal(code, 0, said);
    });
  }
});

/** Replaces placeholders and examples in the documents by values of this service. */
function scriptOf(blocks: readonly Block[], things: Readonly<Record<string, string>>): string {
  const script = blocks.map(({ place, source }) => `echo "--- ${place}"\n${source}`).join('\n');
  return script
    .replaceAll('sp_prd_…', things.KEY ?? '')
    .replaceAll('sp_pub_…', things.PUBLISHABLE_KEY ?? '')
    .replaceAll('http://127.0.0.1:8080', things.URL ?? '')
    .replaceAll('/backups', `${things.FOLDER}/backups`)
    .replace(/\b(ID|KEY_ID|GATE_ID|RULE_ID)\b(?!=)/g, (name) => things[name] ?? name);
}

async function makeThings(service: Serving, dataDir: string, folder: string): Promise<Record<string, string>> {
  const env = { DATA_DIR: dataDir };
  const { production = '' } = service.keys;
  const spare = await runJson<{ id: string }>(
    ['keys', 'create', '--account', service.account, '--environment', 'staging'],
    env,
  );
  const owner = ['--account', service.account, '--environment', 'production'];
  const publishable = await runJson<{ key: string }>(
    ['keys', 'create', ...owner, '--publishable', '--origin', 'https://app.example.com'],
    env,
  );
  const answer = await fetch(`${service.url}/v1/gates`, {
    method: 'POST',
    headers: { authorization: `Bearer ${production}`, 'content-type': 'application/json' },
    body: '{"name": "Sign-up"}',
  });
  const { data } = (await answer.json()) as { data: { id: string; rules: { id: string }[] } };
  writeFileSync(join(folder, 'domains.txt'), 'spam.example\n');
  writeFileSync(join(folder, 'old-keys.txt'), 'a-key-from-elsewhere-0123456789\n');
  writeFileSync(join(folder, 'labelled.csv'), 'value,label,reason\nmailinator.com,disposable,a service\n');
  return {
    FOLDER: folder,
    URL: service.url,
    KEY: production,
    PUBLISHABLE_KEY: publishable.key,
    ID: service.account,
    KEY_ID: spare.id,
    GATE_ID: data.id,
    RULE_ID: data.rules[0]?.id ?? '',
    GATE: data.id,
    RULE: data.rules[0]?.id ?? '',
  };
}

/** `npx signalpost` runs this checkout, and curl fails on an error response. */
function writeTools(folder: string): void {
  const npx = join(folder, 'npx');
  const program = join(root, 'bin', 'signalpost.js');
  writeFileSync(
    npx,
    `#!/bin/sh\n[ "$1" = signalpost ] || exit 64\nshift\nexec "${process.execPath}" "${program}" "$@"\n`,
  );
  chmodSync(npx, 0o755);
  writeFileSync(join(folder, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n');
}

async function runShell(script: string, cwd: string, env: Readonly<Record<string, string>>) {
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd,
    env: { ...env, HOME: cwd, PATH: `${cwd}:${dirname(process.execPath)}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
    });
  }
  const [code] = await once(shell, 'close');
  return { code, said: said.slice(-4_000) };
}
