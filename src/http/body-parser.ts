import { isJsonDepthWithin } from '../json-depth.ts';
import type { Body } from './endpoint.ts';

/** Deeper than any documented body; a parser must not recurse as deep as a stranger likes. */
const maxJsonDepth = 32;

/** Reads a request body. Never throws: what to say about a bad body is the family's business. */
export function parseBody(bytes: Buffer, isJsonType: boolean): Body {
  if (bytes.length === 0) return { kind: 'absent' };
  if (!isJsonType) return { kind: 'other-type' };
  if (!isJsonDepthWithin(bytes, maxJsonDepth)) return { kind: 'malformed' };
  try {
    return { kind: 'json', value: JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, '')) };
  } catch {
    return { kind: 'malformed' };
  }
}

/** The body as an object, or null when it is anything else. */
export function bodyObject(body: Body): Record<string, unknown> | null {
  if (body.kind !== 'json' || typeof body.value !== 'object' || body.value === null || Array.isArray(body.value)) {
    return null;
  }
  return body.value as Record<string, unknown>;
}
