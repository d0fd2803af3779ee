import fc from 'fast-check';
import type { Operation, WireSchema } from './openapi-document.ts';

/** A generated request to an operation; the ids of existing objects are filled in later. */
export interface GeneratedRequest {
  readonly path: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Existing values by parameter or field name, and bodies by operation. */
export type Samples = Readonly<Record<string, readonly unknown[]>>;

const tricky = [
  '',
  ' ',
  '.',
  '..',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  '-1',
  '0',
  '1e309',
  '9007199254740993',
  '99999999999999999999',
  "' or 1=1 --",
  '"; drop table accounts; --',
  '%',
  '%00',
  '\0',
  '\r\nX-Injected: 1',
  '\u202egmail.com',
  '\ufeff',
  'ﬁ.example',
  'xn--',
  'xn--a.example',
  'a@b@c.example',
  '"a b"@example.com',
  'user@[127.0.0.1]',
  '::ffff:127.0.0.1%eth0',
  '1.2.3.4.5',
  '2026-13-45T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  '(a+)+$',
  '(?=a)',
  '[',
  'a'.repeat(321),
  'a.'.repeat(130),
] as const;

const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...tricky),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.emailAddress(),
  fc.domain(),
);

/** Property names that reach the prototype in careless code. */
const prototypeKeys = ['__proto__', 'constructor', 'prototype', 'toString', 'length', '0', ''];
const pollution = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';

const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, false, 0, -0, -1, 0.5, 1e21, 2 ** 53, Number.MIN_SAFE_INTEGER),
  fc.constantFrom([], {}, [[]], [null], { value: null }).map((value) => structuredClone(value)),
  fc.constant(null).map(() => JSON.parse(pollution)),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Values that match the schema, or nearly. */
function matching(schema: WireSchema, name: string, samples: Samples): fc.Arbitrary<unknown> {
  const known = samples[name];
  if (known !== undefined && schema.items === undefined) return fc.constantFrom(...known);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const [type] = [schema.type ?? []].flat();
  switch (type) {
    case 'object':
      return matchingObject(schema, samples);
    case 'array':
      return fc.array(matching(schema.items ?? {}, `${name}[]`, samples), {
        minLength: schema.minItems ?? 0,
        maxLength: (schema.minItems ?? 0) + 3,
      });
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 10 });
    case 'boolean':
      return fc.boolean();
    case 'string':
      return fc.string({
        minLength: schema.minLength ?? 0,
        maxLength: Math.max(schema.minLength ?? 0, Math.min(schema.maxLength ?? 20, 20)),
      });
    default:
      return hostileJson;
  }
}

function matchingObject({ properties = {}, required = [] }: WireSchema, samples: Samples): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, matching(schema, name, samples)]),
  );
  return fc.record(fields, { requiredKeys: [...required] });
}

/** A valid body with one defect: a value replaced or removed, or an unknown field added. */
function damaged(right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(right, fc.nat({ max: 1_000 }), fc.constantFrom('replace', 'remove', 'add'), hostileJson, hostileText)
    .map(([body, at, how, value, key]) => {
      const copy: unknown = structuredClone(body);
      const objects = containersOf(copy);
      const container = objects[at % objects.length];
      if (container === undefined) return value;
      const names = Object.keys(container);
      const name = names[at % names.length] ?? key;
      // `defineProperty` rather than an assignment: the key `__proto__` must stay a key.
      const set = (field: string) =>
        Object.defineProperty(container, field, { value, enumerable: true, configurable: true, writable: true });
      if (how === 'remove') Reflect.deleteProperty(container, name);
      else if (Array.isArray(container)) container.push(value);
      else set(how === 'replace' ? name : (prototypeKeys[at % (2 * prototypeKeys.length)] ?? key));
      return copy;
    });
}

function containersOf(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(containersOf)];
}

const rawBodies = ['', '{', '{"a":', 'null', '[]', '"text"', '1', '\0', '\ufeff{}', '{"a":1}{"b":2}', pollution];
const rawBody: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...rawBodies),
  fc.constantFrom('['.repeat(40_000), `{"domain":"${'x'.repeat(70_000)}"}`, `{${'"a":{'.repeat(500)}`),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);

function bodyOf({ id, body }: Operation, samples: Samples): fc.Arbitrary<unknown> {
  if (body === null) return fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, rawBody);
  const right = matching(body, id, samples);
  return fc.oneof(
    { weight: 4, arbitrary: right },
    { weight: 6, arbitrary: damaged(right) },
    { weight: 2, arbitrary: hostileJson.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: rawBody },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());
/** Invalid percent sequences, and characters with a meaning in a path. */
const brokenSegment = fc.constantFrom('%', '%zz', '%ff', '%c0%af', '%2f', 'a;b', 'a%', '~', '%F0%9F', '*');

function segment(name: string, samples: Samples): fc.Arbitrary<string> {
  const known = fc.constantFrom(...(samples[name] ?? [''])).map((value) => encoded(String(value)));
  // URL parsing would fold `.` and `..` before they are sent.
  const hostile = hostileText.filter((text) => text !== '.' && text !== '..').map(encoded);
  return fc.oneof({ weight: 5, arbitrary: known }, { weight: 3, arbitrary: hostile }, brokenSegment);
}

function queryOf({ parameters }: Operation, samples: Samples): fc.Arbitrary<string> {
  const ofQuery = parameters.filter((parameter) => parameter.in === 'query');
  const pairs = ofQuery.map(({ name, schema }) =>
    fc
      .oneof(matching(schema, name, samples), hostileText)
      .map((value) => `${name}=${encoded(typeof value === 'string' ? value : JSON.stringify(value))}`),
  );
  const strange = fc.oneof(
    fc.constantFrom('__proto__[polluted]=1', 'constructor.prototype.polluted=1', '=', '&&', '%', '%zz=%', 'a[]=1'),
    hostileText.map((text) => `${encoded(text)}=1`),
  );
  // Names may be repeated.
  return fc.array(fc.oneof(...pairs, strange), { maxLength: 4 }).map((all) => all.join('&'));
}

const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1', ';', 'a/b'];

/** Requests to an operation: valid, nearly valid, and hostile ones. */
export function requestsTo(operation: Operation, samples: Samples): fc.Arbitrary<GeneratedRequest> {
  const names = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const segments = fc.tuple(...names.map((name) => segment(name, samples)));
  const headers = fc.oneof(
    { weight: 9, arbitrary: fc.constant({}) },
    fc.constantFrom(...types).map((type) => ({ 'content-type': type })),
  );
  return fc
    .record({ segments, query: queryOf(operation, samples), body: bodyOf(operation, samples), headers })
    .map((made) => {
      const path = names.reduce(
        (url, name, index) => url.replace(`{${name}}`, () => made.segments[index] ?? ''),
        operation.path,
      );
      return { path: made.query === '' ? path : `${path}?${made.query}`, body: made.body, headers: made.headers };
    });
}
