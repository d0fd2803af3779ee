import { AppError } from '../../errors.ts';
import { accepts } from '../answers/content-coding.ts';
import type { Exchange } from '../exchange.ts';
import { type KnownHosts, underKnownHost } from '../known-hosts.ts';
import type { Route } from '../routing/route.ts';

/** A built file of the web pages, in memory. */
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
  /** The file of a path below `/console/`; null when there is none. */
  find(path: string): ConsoleFile | null;
  /** The page for every path without a file; null while the pages are not built. */
  page(): ConsoleFile | null;
}

/** The pages load scripts, styles and fonts only from this service, connect only to it, and cannot be framed. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
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

/** The web pages under `/console`; `/console/api` belongs to the endpoints alone. */
export function consoleFileRoutes(files: ConsoleFiles, hosts: KnownHosts): Route[] {
  const page = (exchange: Exchange): void => sendPage(files, exchange);
  const file = (exchange: Exchange): void => {
    const { rest = '' } = exchange.params;
    const [folder] = rest.split('/', 1);
    if (folder === 'api') throw new AppError('not_found');
    const found = files.find(rest);
    if (found !== null) send(found, exchange);
    // A script of an older build: a browser must not take the page for it, nor a proxy cache it.
    else if (folder === 'assets') throw new AppError('not_found');
    else sendPage(files, exchange);
  };
  const get = (path: string, serve: Route['serve']): Route => ({
    method: 'GET',
    path,
    serve: underKnownHost(hosts, serve),
  });
  return [get('/console', page), get('/console/', page), get('/console/*', file)];
}

function sendPage(files: ConsoleFiles, exchange: Exchange): void {
  const page = files.page();
  if (page !== null) {
    send(page, exchange);
    return;
  }
  exchange.headers(safetyHeaders);
  exchange.send(503, 'text/html; charset=utf-8', notBuilt);
}

function send(file: ConsoleFile, exchange: Exchange): void {
  const { headers } = exchange.request;
  exchange.headers({ ...safetyHeaders, 'cache-control': file.cacheControl, vary: 'accept-encoding', etag: file.etag });
  if (headers['if-none-match'] === file.etag) {
    exchange.sendNothing(304);
    return;
  }
  const { coding, body } = encoded(file, String(headers['accept-encoding'] ?? ''));
  if (coding !== null) exchange.header('content-encoding', coding);
  exchange.send(200, file.type, body);
}

/** A file in the best encoding that the client accepts. */
function encoded({ plain, gzip, brotli }: ConsoleFile, accepted: string): { coding: string | null; body: Buffer } {
  if (brotli !== null && accepts('br', accepted)) return { coding: 'br', body: brotli };
  if (gzip !== null && accepts('gzip', accepted)) return { coding: 'gzip', body: gzip };
  return { coding: null, body: plain };
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
