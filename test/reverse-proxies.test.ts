import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { requireProgram } from '../scripts/programs.ts';
import { freePort } from '../scripts/services.ts';
import { temporaryDirectory } from './engines.ts';
import { eventually } from './eventually.ts';
import { missingService } from './services.ts';
import { type Serving, serveSignalpost } from './signalpost-process.ts';

const deploy = join(import.meta.dirname, '..', 'deploy');

/** The configuration of each proxy in `deploy/`, with the ports and certificates of this run, and how to start it. */
const proxies = {
  nginx(folder: string, port: number, upstream: string): readonly string[] {
    const site = readFileSync(join(deploy, 'nginx', 'signalpost.conf'), 'utf8')
      .replace('127.0.0.1:8080', upstream)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replaceAll('/etc/signalpost/tls', folder);
    const logs = `pid ${folder}/nginx.pid; error_log stderr; daemon off;`;
    const bodies = `client_body_temp_path ${folder}/bodies; proxy_temp_path ${folder}/answers;`;
    // Another site of the machine, which nginx would use for names that the file does not have.
    const other = `server { listen 127.0.0.1:${port} ssl; server_name other.example.com; ssl_certificate ${folder}/server.crt; ssl_certificate_key ${folder}/server.key; return 404; }`;
    writeFileSync(join(folder, 'nginx.conf'), `${logs}\nevents {}\nhttp { ${bodies}\n${other}\n${site}\n}`);
    return ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'];
  },
  caddy(folder: string, port: number, upstream: string): readonly string[] {
    const site = readFileSync(join(deploy, 'caddy', 'Caddyfile'), 'utf8')
      .replace('127.0.0.1:8080', upstream)
      .replaceAll('/etc/signalpost/tls', folder)
      .replace('\nsignals.example.com {', `\nsignals.example.com {\n\ttls ${folder}/server.crt ${folder}/server.key`);
    writeFileSync(
      join(folder, 'Caddyfile'),
      `{\n\tadmin off\n\tlog {\n\t\tlevel ERROR\n\t}\n\tauto_https disable_redirects\n\thttps_port ${port}\n\tdefault_bind 127.0.0.1\n}\n${site}`,
    );
    return ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'];
  },
} as const;

for (const name of ['nginx', 'caddy'] as const) {
  const missing = await missingService(async () => {
    requireProgram('openssl');
    return requireProgram(name);
  });
  describe(`${name} in front of the service, with the configuration of deploy/`, { skip: missing }, () => {
    const folder = temporaryDirectory();
    let service: Serving;
    let proxy: ChildProcess;
    let port: number;
    before(async () => {
      const dataDir = join(folder, 'var');
      // In a folder that exists, the service finds prepared lists.
      mkdirSync(dataDir);
      service = await serveSignalpost({ DATA_DIR: dataDir, TRUST_PROXY: 'loopback' });
      makeCertificate(folder);
      port = await freePort();
      const words = proxies[name](folder, port, new URL(service.url).host);
      proxy = spawn(requireProgram(name), words, { env: { HOME: folder }, stdio: ['ignore', 'ignore', 'inherit'] });
      await eventually(async () => assert.equal((await call(port, 'GET', '/healthz')).status, 200));
    });
    after(async () => {
      const ended = once(proxy, 'exit');
      proxy.kill();
      await ended;
      await service.stop();
      rmSync(folder, { recursive: true });
    });
    const headers = () => ({ authorization: `Bearer ${service.keys.production}` });

    it(`${name} with the configuration of deploy/ forwards a path unchanged, so that an encoded slash stays encoded`, async () => {
      const { status, body } = await call(port, 'GET', '/email/a%2Fb%40example.com', headers());
      assert.equal(status, 200);
      assert.equal(JSON.parse(body).email, 'a/b@example.com');
    });

    it(`${name} with the configuration of deploy/ answers a body that is too large with 413`, async () => {
      const { status } = await call(port, 'POST', '/blocklist/bulk', headers(), ' '.repeat(1_200_000));
      assert.equal(status, 413);
    });

    it(`${name} with the configuration of deploy/ reports that the client used TLS, so that links use https`, async () => {
      const { body } = await call(port, 'GET', '/blocklist', headers());
      assert.match(body, /"first":"https:\/\/signals\.example\.com[:/]/);
    });

    it(`${name} with the configuration of deploy/ serves the name of a migrated client with the same body`, async () => {
      for (const path of ['/domain/mailinator.com', '/nowhere']) {
        const direct = await fetch(`${service.url}${path}`, { headers: headers() });
        const expected = { status: direct.status, body: await direct.text() };
        assert.notEqual(expected.body, '');
        for (const host of ['signals.example.com', 'api.usercheck.com'])
          assert.deepEqual(await call(port, 'GET', path, headers(), '', host), expected, `${host}${path}`);
      }
    });

    it(`${name} with the configuration of deploy/ answers another name with an error`, async () => {
      const { status } = await call(port, 'GET', '/domain/mailinator.com', headers(), '', 'other.example.com');
      assert.equal(status, name === 'caddy' ? 421 : 404);
    });
  });
}

function makeCertificate(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const files = ['-keyout', join(folder, 'server.key'), '-out', join(folder, 'server.crt')];
  const subject = [
    '-subj',
    '/CN=signals.example.com',
    '-addext',
    'subjectAltName=DNS:signals.example.com,DNS:api.usercheck.com,DNS:other.example.com',
  ];
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  execFileSync(requireProgram('openssl'), [...words, ...files, ...subject], { stdio: 'ignore' });
}

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
}

async function call(
  port: number,
  method: string,
  path: string,
  headers = {},
  body = '',
  host = 'signals.example.com',
): Promise<Answer> {
  const to = { host: '127.0.0.1', port, servername: host, rejectUnauthorized: false };
  const sent = request({ ...to, method, path, headers: { ...headers, host } }).end(body);
  const [answer] = await once(sent, 'response');
  return { status: answer.statusCode, body: await text(answer) };
}
