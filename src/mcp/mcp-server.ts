import type { Endpoint } from '../http/endpoint.ts';
import type { ProtocolAnswer, ProtocolRequest } from '../http/protocol/protocol-route.ts';
import { accepted, answered, codes, failed, idIn, RpcError, readMessage } from './json-rpc.ts';
import { mcpMethods } from './mcp-methods.ts';
import { mannerOf } from './revision.ts';

/** The Model Context Protocol over the endpoints that are tools. */
export interface McpServer {
  answer(request: ProtocolRequest): Promise<ProtocolAnswer>;
}

/** A stateless server of tools: no sessions, no messages that the server starts. */
export function createMcpServer(endpoints: readonly Endpoint[], version: string): McpServer {
  const methods = mcpMethods(endpoints, version);
  const respond = async (request: ProtocolRequest): Promise<ProtocolAnswer> => {
    mustTakeJson(request.headers.accept);
    const message = readMessage(request.body);
    if (message.kind === 'unanswered') return accepted;
    const manner = mannerOf(message, request.headers);
    const method = methods[manner].get(message.method);
    // The revisions differ in the status of this one.
    const status = manner === 'stateless' ? 404 : 200;
    if (method === undefined) throw new RpcError(codes.methodNotFound, 'Method not found', { status });
    return answered(message.id, await method(message.params, request));
  };
  return {
    async answer(request) {
      try {
        return await respond(request);
      } catch (error) {
        if (error instanceof RpcError) return failed(idIn(request.body), error);
        throw error;
      }
    },
  };
}

const takesJson = /(?:^|[\s,])(?:\*\/\*|application\/\*|application\/json)\s*(?:[;,]|$)/i;

/** Responses are JSON, never an event stream. */
function mustTakeJson(accept: string | undefined): void {
  if (accept === undefined || takesJson.test(accept)) return;
  throw new RpcError(codes.invalidRequest, 'Answers are JSON: Accept must have application/json.', { status: 406 });
}
