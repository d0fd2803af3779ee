// The baseline for start-up: Fastify with one route and nothing else.
import { fastify } from 'fastify';

const server = fastify();
server.get('/healthz', async () => ({ status: 'ok' }));
const address = await server.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${JSON.stringify({ address })}\n`);
process.once('SIGTERM', () => process.exit(0));
