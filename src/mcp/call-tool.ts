import { AppError } from '../errors.ts';
import type { ProtocolRequest } from '../http/protocol/protocol-route.ts';
import type { Tool } from './tool.ts';
import { forwardedOf } from './tool-arguments.ts';

/** The header with which an operator allows an agent to write. */
export function mayWrite({ headers }: Pick<ProtocolRequest, 'headers'>): boolean {
  return (
    String(headers['gates-mode'] ?? '')
      .trim()
      .toLowerCase() === 'write'
  );
}

/** The result of a call; an error is a result too, so that the agent can read it and retry. */
export interface ToolResult {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
  /** The same as an object, for tools with an output schema. */
  readonly structuredContent?: unknown;
  readonly isError: boolean;
}

export async function callTool(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  request: ProtocolRequest,
): Promise<ToolResult> {
  try {
    if (tool.access === 'write' && !mayWrite(request)) throw writeModeRequired(tool);
    const text = await request.call(tool.endpoint, forwardedOf(tool, args));
    if (text === '') return resultOf('Done.', false);
    if (tool.concise !== undefined && args.full !== true) {
      return resultOf(JSON.stringify(tool.concise(JSON.parse(text))), false);
    }
    const result = resultOf(text, false);
    return tool.definition.outputSchema === undefined ? result : { ...result, structuredContent: JSON.parse(text) };
  } catch (error) {
    return resultOf(JSON.stringify(errorBody(error)), true);
  }
}

function writeModeRequired({ name }: Tool): AppError {
  const message =
    `${name} changes something, and this connection may only read: the request header "Gates-Mode: write" is ` +
    'missing. Only the person who set up this connection can add it.';
  return new AppError('write_mode_required', { message });
}

function resultOf(text: string, isError: boolean): ToolResult {
  return { content: [{ type: 'text', text }], isError };
}

/** The error code and message of the API, independent of the error shape on the endpoint's own path. */
function errorBody(thrown: unknown): object {
  const { code, message, errors, rules, retryAfterSeconds } =
    thrown instanceof AppError ? thrown : new AppError('server_error', { cause: thrown });
  return {
    error: code,
    message,
    ...(errors === undefined ? {} : { errors }),
    ...(rules === undefined ? {} : { rules }),
    ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
  };
}
