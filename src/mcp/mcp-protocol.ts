import type { Endpoint } from '../http/endpoint.ts';
import type { Protocol } from '../http/protocol/protocol-route.ts';
import { version } from '../version.ts';
import type { McpServer } from './mcp-server.ts';

/** The MCP server at `/mcp`; loaded with the first request. */
export function createMcpProtocol(endpoints: readonly Endpoint[]): Protocol {
  const load = async (): Promise<McpServer> => (await import('./mcp-server.ts')).createMcpServer(endpoints, version);
  let server: Promise<McpServer> | null = null;
  return {
    path: '/mcp',
    operationId: 'mcp',
    async answer(request) {
      server ??= load();
      return (await server).answer(request);
    },
  };
}
