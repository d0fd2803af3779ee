import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';

/** A file of the web pages, in memory as the build left it. */
export interface ConsoleFile {
  readonly type: string;
  readonly cacheControl: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly gzip: Buffer | null;
  readonly brotli: Buffer | null;
}

/** The web pages. */
export interface ConsoleFiles {
  /** The file of a path behind `/console/`; null when there is none. */
  find(path: string): ConsoleFile | null;
  /** What every path without a file gets; null while the pages are not built. */
  page(): ConsoleFile | null;
}

/** The pages run their own scripts and styles and nothing else, talk to nobody but this service, and stand in no frame. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const safetyHeaders = {
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** The paths of the pages, for 405. */
export const consolePagePaths = ['/console', '/console/'];

/** Mounts the web pages under `/console`; `/console/api` belongs to the endpoints alone. */
export function mountConsoleFiles(app: FastifyInstance, files: ConsoleFiles): void {
  for (const path of consolePagePaths) app.get(path, (request, reply) => sendPage(files, request, reply));
  app.get('/console/*', (request, reply) => {
    const { '*': path = '' } = request.params as Record<string, string>;
    if (path === 'api' || path.startsWith('api/')) throw new AppError('not_found');
    const file = files.find(path);
    return file === null ? sendPage(files, request, reply) : send(file, request, reply);
  });
}

function sendPage(files: ConsoleFiles, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const page = files.page();
  if (page !== null) return send(page, request, reply);
  return reply.code(503).headers(safetyHeaders).header('content-type', 'text/html; charset=utf-8').send(notBuilt);
}

function send(file: ConsoleFile, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ ...safetyHeaders, 'cache-control': file.cacheControl, vary: 'accept-encoding', etag: file.etag });
  if (headers['if-none-match'] === file.etag) return reply.code(304).send();
  reply.header('content-type', file.type);
  const accepted = String(headers['accept-encoding'] ?? '');
  if (file.brotli !== null && takes('br', accepted)) return reply.header('content-encoding', 'br').send(file.brotli);
  if (file.gzip !== null && takes('gzip', accepted)) return reply.header('content-encoding', 'gzip').send(file.gzip);
  return reply.send(file.plain);
}

/** RFC 9110, section 12.5.3: named, and not with a weight of zero. */
export function takes(coding: 'br' | 'gzip', accepted: string): boolean {
  return accepted.split(',').some((item) => {
    const [name = '', weight = ''] = item.split(';').map((part) => part.trim().toLowerCase());
    return name === coding && !/^q=0(?:\.0*)?$/.test(weight);
  });
}

const notBuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Signalpost: the console is not built</title>
<h1>The console is not built</h1>
<p>The service itself works. In a checkout, run <code>node scripts/setup.mjs</code> and load this page again;
the package and the container image carry the console ready to use.</p>
<p><a href="/docs">The reference of the API</a></p>
</html>
`;
