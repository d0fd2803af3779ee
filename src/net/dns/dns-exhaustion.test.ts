import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

const program = `
  import { startDnsServer } from ${JSON.stringify(import.meta.resolve('../../../test/dns-server.ts'))};
  import { createDns } from ${JSON.stringify(import.meta.resolve('./dns.ts'))};
  const server = await startDnsServer({});
  const dns = createDns({ servers: [server.address], offline: false, now: Date.now });
  const ask = (name) => dns.a(name, { atMs: Date.now() + 20_000 });
  const names = Array.from({ length: 300 }, (_, index) => 'n' + index + '.test');
  const answers = await Promise.all(names.map(ask));
  const kinds = new Set(answers.map((answer) => answer.reason ?? answer.kind));
  const later = await ask(names.at(-1));
  console.log(JSON.stringify({ kinds: [...kinds].sort(), later: later.kind }));
  await server.close();
`;

describe('a process without sockets left', () => {
  it('a process without free sockets fails DNS queries as busy, keeps running, and answers the same names a moment later', async () => {
    const limited = 'ulimit -n 80 && exec "$0" --input-type=module --eval "$1"';
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', limited, process.execPath, program]);
    assert.deepEqual(JSON.parse(stdout), { kinds: ['busy', 'none'], later: 'none' });
  });
});
