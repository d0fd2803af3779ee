import { errorTable } from '../errors.ts';
import type { Body } from '../http/endpoint.ts';
import type { ProtocolAnswer } from '../http/protocol/protocol-route.ts';
import { isPlainObject } from '../input/json-value.ts';

/** The codes of JSON-RPC 2.0, and those that MCP adds since 2026-07-28. */
export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** An error of a request that calls no tool. */
export class RpcError extends Error {
  readonly code: number;
  /** Of the HTTP answer. */
  readonly status: number;
  readonly data: unknown;
  constructor(code: number, message: string, { status = 400, data }: { status?: number; data?: unknown } = {}) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

export type RequestId = string | number;

/** A message of a client. Notifications and unrequested responses get no response. */
export type Message =
  | {
      readonly kind: 'request';
      readonly id: RequestId;
      readonly method: string;
      readonly params: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'unanswered' };

/** The one message of a body; throws `RpcError`. */
export function readMessage(body: Body): Message {
  const value = jsonIn(body);
  if (Array.isArray(value)) {
    throw new RpcError(codes.invalidRequest, 'Batches are not taken: send each message as a request of its own.');
  }
  if (!isPlainObject(value) || value.jsonrpc !== '2.0') {
    throw new RpcError(codes.invalidRequest, 'The body must be a message of JSON-RPC 2.0.');
  }
  const { id, method, params = {} } = value;
  if (method === undefined && (value.result !== undefined || value.error !== undefined)) return { kind: 'unanswered' };
  if (typeof method !== 'string') throw new RpcError(codes.invalidRequest, 'The method must be a string.');
  if (id === undefined) return { kind: 'unanswered' };
  if (!isRequestId(id)) throw new RpcError(codes.invalidRequest, 'The id must be a string or an integer.');
  if (!isPlainObject(params)) throw new RpcError(codes.invalidParams, 'The params must be an object.');
  return { kind: 'request', id, method, params };
}

function jsonIn(body: Body): unknown {
  switch (body.kind) {
    case 'json':
      return body.value;
    case 'malformed':
      throw new RpcError(codes.parseError, body.problem);
    case 'absent':
      throw new RpcError(codes.parseError, 'The body is empty.');
    case 'other-type':
      throw new RpcError(codes.invalidRequest, errorTable.unsupported_media_type.message, { status: 415 });
  }
}

/** The id for an error about a body of any shape. */
export function idIn(body: Body): RequestId | null {
  const id = body.kind === 'json' && isPlainObject(body.value) ? body.value.id : null;
  return isRequestId(id) ? id : null;
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

/** The response to a message that needs none. */
export const accepted: ProtocolAnswer = { status: 202, text: null };

/** The response to a request. */
export function answered(id: RequestId, result: object): ProtocolAnswer {
  return { status: 200, text: JSON.stringify({ jsonrpc: '2.0', id, result }) };
}

/** The response to a failed request. */
export function failed(id: RequestId | null, { code, message, status, data }: RpcError): ProtocolAnswer {
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  return { status, text: JSON.stringify({ jsonrpc: '2.0', id, error }) };
}
