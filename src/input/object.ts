import { type Input, pathOf, refused } from './input.ts';
import { isPlainObject } from './json-value.ts';
import type { Problems } from './problems.ts';
import { type JsonSchema, type Properties, schema } from './schema.ts';

/** A field that may be missing. */
export interface Optional<T> {
  readonly presence: 'optional';
  readonly input: Input<T>;
}

/** An optional field with a default value. */
export interface Defaulted<T> {
  readonly presence: 'defaulted';
  readonly input: Input<T>;
  readonly standard: T;
}

/** An optional field without a default. */
export function optional<T>(input: Input<T>): Optional<T> {
  return { presence: 'optional', input };
}

/** An optional field with a default. */
export function defaulted<T>(input: Input<T>, standard: NoInfer<T>): Defaulted<T> {
  return { presence: 'defaulted', input, standard };
}

/** The same fields, each of which may be missing. */
export function partial<F extends Readonly<Record<string, Input<unknown>>>>(
  fields: F,
): { readonly [Name in keyof F]: Optional<ValueOf<F[Name]>> } {
  const all = Object.entries(fields).map(([name, input]) => [name, optional(input)]);
  return Object.fromEntries(all) as { readonly [Name in keyof F]: Optional<ValueOf<F[Name]>> };
}

/** The fields of an object; a plain input is a required field. */
export type Fields = Readonly<Record<string, Input<unknown> | Optional<unknown> | Defaulted<unknown>>>;

type IsOptional<Field> = Field extends Optional<unknown> ? true : false;
type ValueOf<Field> = Field extends Input<infer T> ? T : Field extends { readonly input: Input<infer T> } ? T : never;

/** The value read from an object with these fields. */
export type ObjectOf<F extends Fields> = {
  readonly [Name in keyof F as IsOptional<F[Name]> extends true ? never : Name]: ValueOf<F[Name]>;
} & {
  readonly [Name in keyof F as IsOptional<F[Name]> extends true ? Name : never]?: ValueOf<F[Name]>;
};

/** Options for reading an object. */
export interface ObjectOptions<F extends Fields> {
  /** Whether unknown fields are reported or ignored. */
  readonly unknownFields?: 'refused' | 'ignored';
  /** Read-only fields: clients may send them, and they are ignored. */
  readonly readOnly?: readonly string[];
  /** The message about a value that is not an object. */
  readonly notAnObject?: string;
  /** Decides whether a value counts as missing. */
  readonly isAbsent?: (value: unknown) => boolean;
  /** Validates the fields that could be read against each other. */
  readonly together?: (
    fields: Partial<ObjectOf<F>>,
    report: (field: keyof F & string, message: string) => void,
  ) => void;
}

/** A JSON object. */
export function object<F extends Fields>(fields: F, options: ObjectOptions<F> = {}): Input<ObjectOf<F>> {
  const { unknownFields = 'refused', readOnly = [], isAbsent = isUndefined } = options;
  const known = Object.entries(fields).map(([name, field]): KnownField => {
    return 'presence' in field ? { name, ...field } : { name, presence: 'required', input: field };
  });
  const isClosed = unknownFields === 'refused';
  const shown = Object.fromEntries(readOnly.map((name) => [name, schema.optional({ readOnly: true })]));
  return {
    schema: schemaOf(known, shown, isClosed),
    read(value, path, problems) {
      if (!isPlainObject(value)) {
        problems.add(path === '' ? 'body' : path, options.notAnObject ?? 'The body must be a JSON object.');
        return refused;
      }
      const before = problems.count;
      const read: Record<string, unknown> = {};
      for (const { name, input, presence, standard } of known) {
        const given = value[name];
        if (!isAbsent(given)) {
          const part = input.read(given, pathOf(path, name), problems);
          if (part !== refused) read[name] = part;
        } else if (presence === 'defaulted') read[name] = standard;
        else if (presence === 'required') problems.add(pathOf(path, name), `The ${name} field is required.`);
      }
      if (isClosed) reportUnknown(value, { ...fields, ...shown }, path, problems);
      // Each field was read by the input that types it; the compiler cannot follow that over a loop.
      const all = read as ObjectOf<F>;
      options.together?.(all, (name, message) => problems.add(pathOf(path, name), message));
      return problems.count > before ? refused : all;
    },
  };
}

const isUndefined = (value: unknown): boolean => value === undefined;

interface KnownField {
  readonly name: string;
  readonly input: Input<unknown>;
  readonly presence: 'required' | 'optional' | 'defaulted';
  readonly standard?: unknown;
}

/** Reports the unknown fields of an object. */
export function reportUnknown(value: object, known: object, path: string, problems: Problems): void {
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(known, name)) problems.add(pathOf(path, name), 'This field is not known.');
  }
}

function schemaOf(fields: readonly KnownField[], shown: Properties, isClosed: boolean): JsonSchema {
  const properties = fields.map(({ name, input, presence, standard }) => {
    const value = standard === undefined ? input.schema : { ...input.schema, default: standard };
    return [name, presence === 'required' ? value : schema.optional(value)] as const;
  });
  return schema.object(
    { ...Object.fromEntries(properties), ...shown },
    isClosed ? { additionalProperties: false } : {},
  );
}
