import assert from 'node:assert/strict';
import { Compile } from 'typebox/compile';
import { callsByTag, type OpenApi, type Operation } from '../src/reference/open-api.ts';
import type { Response } from './inject.ts';

/** What any path answers besides what its operation lists: a value may be no path at all, or the method not for it. */
const everywhere = [404, 405];
const compiled = new Map<string, { Check(value: unknown): boolean }>();

/** Throws when the answer to a documented operation is not one that the document describes. */
export function documentedAnswers(document: object): (method: string, path: string, answer: Response) => void {
  const calls = [...callsByTag(document as OpenApi).values()].flat().map((call) => ({
    ...call,
    pattern: new RegExp(`^${call.path.replace(/\{\w+\}/g, '[^/]*')}$`),
    variables: call.path.split('{').length,
  }));
  // Of two that match, the one with more fixed text is meant: /blocklist/bulk.
  calls.sort((one, other) => one.variables - other.variables);
  return (method, path, answer) => {
    const [bare = ''] = path.split(/[?#]/);
    const call = calls.find((one) => one.method === method && one.pattern.test(bare));
    if (call !== undefined) check(call.operation, answer);
  };
}

function check({ operationId, responses }: Operation, { status, json, text }: Response): void {
  const documented = responses[status];
  const place = `${operationId} answered ${status}: ${text.slice(0, 300)}`;
  assert.ok(documented !== undefined || everywhere.includes(status), `${place}, which openapi.json does not list`);
  const schema = documented?.content?.['application/json'].schema;
  // The framework's own body under /v0 is described by nobody.
  if (schema === undefined || json === undefined || 'statusCode' in Object(json)) return;
  assert.ok(validator(schema).Check(json), `${place}, which is not what openapi.json describes`);
}

function validator(schema: object): { Check(value: unknown): boolean } {
  const key = JSON.stringify(schema);
  const known = compiled.get(key) ?? Compile(schema);
  compiled.set(key, known);
  return known;
}
