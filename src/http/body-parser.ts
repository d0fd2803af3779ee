import type { IncomingHttpHeaders } from 'node:http';
import { isPlainObject } from '../input/json-value.ts';
import { isJsonDepthWithin } from '../json-depth.ts';
import type { Body } from './endpoint.ts';

/** Deeper than any documented body: clients must not control the depth of recursion. */
const maxJsonDepth = 32;

/** Parses a request body. Never throws: each family answers a bad body in its own way. */
export function parseBody(bytes: Buffer, headers: IncomingHttpHeaders): Body {
  if (bytes.length === 0) return { kind: 'absent' };
  if (!isJson(headers['content-type'])) return { kind: 'other-type' };
  if (isEncoded(headers['content-encoding']) || isGzip(bytes)) {
    return malformed('The body is compressed. Send it as plain JSON, without Content-Encoding.');
  }
  if (!isJsonDepthWithin(bytes, maxJsonDepth)) {
    return malformed(`The body is nested deeper than ${maxJsonDepth} levels.`);
  }
  try {
    return { kind: 'json', value: JSON.parse(textOf(bytes)) };
  } catch {
    return malformed('The body is not valid JSON.');
  }
}

/** Without a byte order mark (RFC 8259, section 8.1). */
function textOf(bytes: Buffer): string {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString('utf8', hasMark ? 3 : 0);
}

const malformed = (problem: string): Body => ({ kind: 'malformed', problem });

/** A body without a content type counts as JSON. */
function isJson(contentType: string | undefined): boolean {
  return contentType === undefined || /^application\/json\s*(?:;|$)/i.test(contentType);
}

/** RFC 1952, section 2.3.1. */
const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

function isEncoded(contentEncoding: string | undefined): boolean {
  return contentEncoding !== undefined && !/^(?:identity)?$/i.test(contentEncoding.trim());
}

/** The body as an object, or null when it is anything else. */
export function bodyObject(body: Body): Readonly<Record<string, unknown>> | null {
  return body.kind === 'json' && isPlainObject(body.value) ? body.value : null;
}
