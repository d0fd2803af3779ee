import { type Input, refused } from './input.ts';
import { type Fields, type ObjectOf, type ObjectOptions, object } from './object.ts';
import { type JsonSchema, schema } from './schema.ts';

/** A query; unknown parameters are ignored. */
export function query<F extends Fields>(
  parameters: F,
  options: Pick<ObjectOptions<F>, 'together'> = {},
): Input<ObjectOf<F>> {
  return object(parameters, { ...options, unknownFields: 'ignored' });
}

/** A query parameter that may be sent once; `parse` converts its text to the input's type. */
export function once<T>(input: Input<T>, parse: (text: string) => unknown = (text) => text): Input<T> {
  return {
    schema: input.schema,
    read(value, path, problems) {
      if (typeof value === 'string') return input.read(parse(value), path, problems);
      problems.add(path, `The ${path} parameter must be sent once.`);
      return refused;
    },
  };
}

/** A query parameter that is one of a few words. */
export function word<T extends string>(words: readonly T[]): Input<T> {
  return parsed(`one of: ${words.join(', ')}`, (text) => words.find((each) => each === text) ?? null, {
    enum: [...words],
  });
}

/** A query parameter that is one or more of a few words, separated by commas. */
export function words<T extends string>(known: readonly T[]): Input<readonly T[]> {
  const one = `(?:${known.join('|')})`;
  return parsed(
    `one or more of: ${known.join(', ')}; separated by commas`,
    (text) => {
      const found = text.split(',').map((each) => known.find((name) => name === each.trim()));
      return found.every((each) => each !== undefined) ? [...new Set(found)] : null;
    },
    { pattern: `^${one}(?:,${one})*$`, description: `One or more of ${known.join(', ')}, separated by commas` },
  );
}

/** A query parameter read by a parser, which returns null for invalid text. */
export function parsed<T>(expected: string, parse: (text: string) => T | null, keywords: JsonSchema = {}): Input<T> {
  return once({
    schema: schema.string(keywords),
    read(text, path, problems) {
      const value = parse(String(text));
      if (value !== null) return value;
      problems.add(path, `The ${path} parameter must be ${expected}.`);
      return refused;
    },
  });
}

/** A query parameter that is never refused: `read` converts any text. */
export function lenient<T>(described: JsonSchema, read: (sent: string | readonly string[]) => T): Input<T> {
  return { schema: described, read: (value) => read(value as string | readonly string[]) };
}
