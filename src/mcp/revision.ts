import type { IncomingHttpHeaders } from 'node:http';
import { isPlainObject } from '../input/json-value.ts';
import { codes, RpcError } from './json-rpc.ts';

/**
 * The two styles of MCP. Up to 2025-11-25 a client starts with `initialize`; since 2026-07-28 every request carries all that the
 * server must know. Both are stateless here.
 */
export type Manner = 'introduced' | 'stateless';

/** Revisions with `initialize`, the newest first. */
export const introducedRevisions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;

/** Revisions without `initialize`, the newest first. */
export const statelessRevisions = ['2026-07-28'] as const;

const versionKey = 'io.modelcontextprotocol/protocolVersion';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';

interface Request {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The style of a request; throws when its revision is not supported, or when its headers contradict its body. */
export function mannerOf({ method, params }: Request, headers: IncomingHttpHeaders): Manner {
  const meta = isPlainObject(params._meta) ? params._meta : {};
  const header = headers['mcp-protocol-version'];
  const claimed = meta[versionKey];
  if (claimed !== undefined) {
    mustBeStateless(claimed, meta, header);
    mustMatch('Mcp-Method', headers['mcp-method'], method);
    if (method === 'tools/call') mustMatch('Mcp-Name', headers['mcp-name'], params.name);
    return 'stateless';
  }
  if (isOneOf(statelessRevisions, header)) {
    throw new RpcError(codes.invalidParams, `Every request of ${header} carries ${versionKey} in params._meta.`);
  }
  // An introduction names its revision in its params; other messages name the agreed one, or none in the oldest revision.
  if (method !== 'initialize' && header !== undefined && !isOneOf(introducedRevisions, header))
    throw unsupported(header);
  return 'introduced';
}

function mustBeStateless(claimed: unknown, meta: Readonly<Record<string, unknown>>, header: unknown): void {
  if (typeof claimed !== 'string' || !isPlainObject(meta[capabilitiesKey])) {
    const expected = `${versionKey} (a string) and ${capabilitiesKey} (an object)`;
    throw new RpcError(codes.invalidParams, `params._meta must have ${expected}.`);
  }
  mustMatch('MCP-Protocol-Version', header, claimed);
  if (!isOneOf(statelessRevisions, claimed)) throw unsupported(claimed);
}

function unsupported(requested: unknown): RpcError {
  const data = { supported: [...statelessRevisions, ...introducedRevisions], requested };
  return new RpcError(codes.unsupportedVersion, 'Unsupported protocol version', { data });
}

/** Headers, which intermediaries read, must match the body. */
function mustMatch(name: string, header: unknown, value: unknown): void {
  if (typeof header === 'string' && decoded(header.trim()) === value) return;
  const problem = header === undefined ? 'is missing' : 'says something else than the body';
  throw new RpcError(codes.headerMismatch, `Header mismatch: ${name} ${problem}.`);
}

/** A value that is not plain ASCII is encoded as `=?base64?…?=`. */
function decoded(header: string): string {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header)?.[1];
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString('utf8');
}

function isOneOf(revisions: readonly string[], value: unknown): boolean {
  return typeof value === 'string' && revisions.includes(value);
}
