import { AppError } from '../errors.ts';
import type { Forwarded } from '../http/protocol/protocol-route.ts';
import { createProblems, type Problems } from '../input/problems.ts';
import type { Place, Tool } from './tool.ts';

/** Maps the arguments of a tool to the input of its endpoint; throws for unknown ones. */
export function forwardedOf(
  { endpoint, places, fixed = {} }: Tool,
  args: Readonly<Record<string, unknown>>,
): Forwarded {
  const problems = createProblems();
  const given = Object.entries(args).filter(([name]) => {
    if (places.has(name)) return true;
    problems.add(name, 'This argument is not known.');
    return false;
  });
  const at = (place: Place) => given.filter(([name]) => places.get(name) === place);
  const params = at('path').map(([name, value]) => [name, pathText(name, value, problems)]);
  const query = at('query').map(([name, value]) => [name, queryText(name, value, problems)]);
  for (const [name, place] of places) {
    if (place === 'path' && !Object.hasOwn(args, name)) problems.add(name, `The ${name} argument is required.`);
  }
  if (problems.count > 0) throw new AppError('validation_failed', { errors: problems.toFieldErrors() });
  return {
    params: Object.fromEntries(params),
    query: { ...Object.fromEntries(query), ...fixed },
    body:
      endpoint.schemas.body === undefined
        ? { kind: 'absent' }
        : { kind: 'json', value: Object.fromEntries(at('body')) },
  };
}

/** Path and query values are text; a client may send numbers too. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

function pathText(name: string, value: unknown, problems: Problems): string {
  const text = textOf(value);
  if (text === null) problems.add(name, `The ${name} argument must be a string.`);
  return text ?? '';
}

/** Null counts as absent; a list is a repeated parameter. */
function queryText(name: string, value: unknown, problems: Problems): string | string[] | undefined {
  if (value === null) return undefined;
  const texts = Array.isArray(value) ? value.map(textOf) : textOf(value);
  if (Array.isArray(texts) ? !texts.includes(null) : texts !== null) return texts as string | string[];
  problems.add(name, `The ${name} argument must be a string, a number, true or false, or a list of those.`);
  return undefined;
}
