// The baseline: node:http that answers every request with a fixed body, and does nothing else.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const body = process.env.BENCH_BODY ?? '';
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) };
const server = createServer((request, response) => {
  // Reads the request body, as any server must.
  request.resume();
  response.writeHead(200, headers).end(body);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ address: `http://127.0.0.1:${port}` })}\n`);
});
process.once('SIGTERM', () => process.exit(0));
