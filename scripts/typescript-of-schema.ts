/** The JSON Schema keywords that the generator supports. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly description?: string;
  readonly deprecated?: boolean;
}

/** Who creates the values: the service its responses, the caller the input, which may be read-only and explicitly undefined. */
export type Direction = 'answer' | 'input';

/** The TypeScript type of a schema; unsupported keywords are ignored. */
export function typescriptOfSchema(schema: Schema, direction: Direction, indent = ''): string {
  if (schema.$ref !== undefined) return `Schemas['${schema.$ref.split('/').at(-1)}']`;
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  const several = schema.oneOf ?? schema.anyOf;
  if (several) return union(several.map((one) => typescriptOfSchema(one, direction, indent)));
  if (schema.allOf) return schema.allOf.map((one) => `(${typescriptOfSchema(one, direction, indent)})`).join(' & ');
  if (schema.type === undefined) return schema.properties ? object(schema, direction, indent) : 'unknown';
  return union([schema.type].flat().map((type) => typeNamed(type, schema, direction, indent)));
}

/** The members of an object type, each with its description as a comment. */
export function members(schema: Schema, direction: Direction, indent: string): string {
  return Object.entries(schema.properties ?? {})
    .map(([name, property]) => {
      const isOptional = !schema.required?.includes(name);
      const type = typescriptOfSchema(property, direction, indent);
      const orUndefined = isOptional && direction === 'input' && type !== 'unknown' ? ' | undefined' : '';
      return `${comment(property, indent)}${indent}${key(name)}${isOptional ? '?' : ''}: ${type}${orUndefined};\n`;
    })
    .join('');
}

/** A property name in an object type or literal, quoted where necessary. */
export const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** A documentation comment on its own line, or an empty text. */
export function comment(
  { description, deprecated }: Pick<Schema, 'description' | 'deprecated'>,
  indent: string,
): string {
  const text = [description, deprecated ? '@deprecated' : undefined].filter((part) => part !== undefined).join(' ');
  return text === '' ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n`;
}

function typeNamed(type: string, schema: Schema, direction: Direction, indent: string): string {
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') return array(typescriptOfSchema(schema.items ?? {}, direction, indent), direction);
  if (type === 'object') return object(schema, direction, indent);
  return type;
}

function array(item: string, direction: Direction): string {
  return direction === 'input' ? `ReadonlyArray<${item}>` : `Array<${item}>`;
}

function object(schema: Schema, direction: Direction, indent: string): string {
  const { additionalProperties } = schema;
  const others = typeof additionalProperties === 'object' ? additionalProperties : {};
  const record = `Record<string, ${typescriptOfSchema(others, direction, indent)}>`;
  if (Object.keys(schema.properties ?? {}).length === 0) return record;
  const known = `{\n${members(schema, direction, `${indent}  `)}${indent}}`;
  return typeof additionalProperties === 'object' ? `(${known} & ${record})` : known;
}

function literal(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');
