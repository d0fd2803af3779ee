import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { requireProgram } from '../scripts/programs.ts';
import { blocksOf } from './document-blocks.ts';
import { temporaryDirectory } from './engines.ts';
import { missingService } from './services.ts';

const blocks = blocksOf('docs/webhooks.md');
const sourceOf = (language: string): string => blocks.find((block) => block.language === language)?.source ?? '';
const client = pathToFileURL(join(import.meta.dirname, '../sdk/src/index.ts')).href;

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`;
const other = `whsec_${Buffer.from('another secret of the same size.').toString('base64')}`;
const body = JSON.stringify({ type: 'a', timestamp: '2026-11-15T00:00:00+00:00', data: { domain: 'bücher.example' } });

/** A delivery that the reference package signed. */
function delivery(by: readonly string[], changes: { ageSeconds?: number; body?: string } = {}) {
  const at = new Date(Date.now() - (changes.ageSeconds ?? 0) * 1_000);
  const headers = {
    'webhook-id': '01KA0000000000000000000000',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': by.map((each) => new Webhook(each).sign('01KA0000000000000000000000', at, body)).join(' '),
  };
  return { body: changes.body ?? body, headers, secret };
}

/** Whether each delivery is genuine. */
const cases: readonly [ReturnType<typeof delivery>, boolean][] = [
  [delivery([secret]), true],
  [delivery([other, secret]), true],
  [delivery([other]), false],
  [delivery([secret], { body: `${body} ` }), false],
  [delivery([secret], { ageSeconds: 900 }), false],
  [delivery([secret], { ageSeconds: -900 }), false],
  [{ ...delivery([secret]), headers: { ...delivery([secret]).headers, 'webhook-id': 'x' } }, false],
  [{ ...delivery([secret]), headers: { ...delivery([secret]).headers, 'webhook-timestamp': 'x' } }, false],
  [{ ...delivery([secret]), headers: { ...delivery([secret]).headers, 'webhook-signature': 'ü v1' } }, false],
];

/** How to call the block of each language; each prints a list of true and false. */
const languages = {
  ts: {
    program: process.execPath,
    file: 'block.ts',
    source: `${sourceOf('ts')
      .replace('@signalpost/client', client)
      .replace(/console\.log.*;/, '')}
import { readFileSync } from 'node:fs';
const told = [];
for (const { body, headers, secret } of JSON.parse(readFileSync('cases.json', 'utf8'))) {
  told.push((await receive(new Request('http://a.example', { method: 'POST', body, headers }), secret)).status === 204);
}
console.log(JSON.stringify(told));`,
  },
  python: {
    program: 'python3',
    file: 'block.py',
    source: `${sourceOf('python')}
def is_genuine(one):
    try:
        return verify_webhook(one["body"].encode(), one["headers"], one["secret"])["type"] == "a"
    except ValueError:
        return False
print(json.dumps([is_genuine(one) for one in json.load(open("cases.json", encoding="utf-8"))]))`,
  },
  php: {
    program: 'php',
    file: 'block.php',
    source: `${sourceOf('php')}
$told = [];
foreach (json_decode(file_get_contents('cases.json'), true) as $one) {
    try {
        $told[] = verifyWebhook($one['body'], $one['headers'], $one['secret'])['type'] === 'a';
    } catch (RuntimeException) {
        $told[] = false;
    }
}
echo json_encode($told);`,
  },
} as const;

const folder = temporaryDirectory();
after(() => rmSync(folder, { recursive: true }));

for (const [language, { program, file, source }] of Object.entries(languages)) {
  const path = () => (program === 'python3' || program === 'php' ? requireProgram(program) : program);
  describe(`docs/webhooks.md in ${language}`, { skip: await missingService(async () => path()) }, () => {
    it(`docs/webhooks.md in ${language} accepts only recent deliveries that the reference package signed`, () => {
      writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases.map(([sent]) => sent)));
      writeFileSync(join(folder, file), source);
      const printed = execFileSync(path(), [file], { cwd: folder, encoding: 'utf8' });
      assert.deepEqual(
        JSON.parse(printed),
        cases.map(([, isGenuine]) => isGenuine),
      );
    });
  });
}
