import { type Input, pathOf, refused } from './input.ts';
import { isPlainObject } from './json-value.ts';
import type { Problems } from './problems.ts';
import { type JsonSchema, type Properties, schema } from './schema.ts';

/** A field that may be missing. */
export interface Optional<T> {
  readonly presence: 'optional';
  readonly input: Input<T>;
}

/** A field that has a standard value. */
export interface Defaulted<T> {
  readonly presence: 'defaulted';
  readonly input: Input<T>;
  readonly standard: T;
}

/** A field that may be missing, and then is. */
export function optional<T>(input: Input<T>): Optional<T> {
  return { presence: 'optional', input };
}

/** A field that may be missing, and then has the value given here. */
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

/** The fields of an object; a plain input is a field that must be there. */
export type Fields = Readonly<Record<string, Input<unknown> | Optional<unknown> | Defaulted<unknown>>>;

type IsOptional<Field> = Field extends Optional<unknown> ? true : false;
type ValueOf<Field> = Field extends Input<infer T> ? T : Field extends { readonly input: Input<infer T> } ? T : never;

/** What is read from an object with these fields. */
export type ObjectOf<F extends Fields> = {
  readonly [Name in keyof F as IsOptional<F[Name]> extends true ? never : Name]: ValueOf<F[Name]>;
} & {
  readonly [Name in keyof F as IsOptional<F[Name]> extends true ? Name : never]?: ValueOf<F[Name]>;
};

/** How an object is read where it differs from the usual. */
export interface ObjectOptions<F extends Fields> {
  /** Fields that are none of these are reported, unless they are ignored. */
  readonly unknownFields?: 'refused' | 'ignored';
  /** Fields that are shown and not set: sent back as they were read, they mean nothing. */
  readonly readOnly?: readonly string[];
  /** About anything that is not an object. */
  readonly notAnObject?: string;
  /** Which values count as not sent. */
  readonly isAbsent?: (value: unknown) => boolean;
  /** What is wrong with the fields that could be read, taken together. */
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
      // Each field was read by the input that gives it its type, which the compiler cannot follow over a loop.
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

/** Reports the fields of an object that are none of those known. */
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
