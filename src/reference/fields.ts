import { type Html, html, none, prose } from './html.ts';
import type { Parameter, Schema } from './open-api.ts';

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly note: string;
}

/** The fields of a body, those inside others below them. */
export function bodyFields(schema: Schema, direction: 'sent' | 'answered'): Html {
  return list(
    Object.entries(schema.properties ?? {}).map(([name, property]) => {
      const required = schema.required?.includes(name) ?? false;
      return {
        name,
        schema: property,
        note: direction === 'sent' ? (required ? 'required' : '') : required ? '' : 'may be absent',
      };
    }),
    direction,
  );
}

/** The values of the path and the query. */
export function parameterFields(parameters: readonly Parameter[]): Html {
  return list(
    parameters.map(({ name, schema, required, in: place }) => ({
      name,
      schema,
      note: `${place}${required ? ', required' : ''}`,
    })),
    'sent',
  );
}

function list(fields: readonly Field[], direction: 'sent' | 'answered'): Html {
  if (fields.length === 0) return none;
  return html`<ul class="fields">${fields.map((field) => row(field, direction))}</ul>`;
}

function row({ name, schema, note }: Field, direction: 'sent' | 'answered'): Html {
  const inner = innerObject(schema);
  return html`<li><p><code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>${
    note === '' ? none : html` <span class="note">${note}</span>`
  }${schema.deprecated === true ? html` <span class="note">deprecated</span>` : none}</p>${
    schema.description === undefined ? none : html`<p>${prose(schema.description)}</p>`
  }${inner === undefined ? none : bodyFields(inner, direction)}</li>`;
}

function innerObject({ items, properties, ...schema }: Schema): Schema | undefined {
  if (properties !== undefined) return { ...schema, properties };
  return items === undefined ? undefined : innerObject(items);
}

/** The type in words, with its bounds. */
function typeOf(schema: Schema): string {
  const types = [schema.type ?? 'any'].flat().map((type) => (type === 'array' ? arrayOf(schema) : type));
  const values = schema.enum?.map((value) => JSON.stringify(value)).join(', ');
  return [types.join(' or '), values, bounds(schema), standard(schema)].filter(Boolean).join('; ');
}

function arrayOf({ items }: Schema): string {
  const [type = 'any'] = [items?.type ?? 'any'].flat();
  return `array of ${type === 'any' ? 'anything' : `${type}s`}`;
}

function bounds({ minimum, maximum, minLength, maxLength, minItems, maxItems }: Schema): string {
  return [range(minimum, maximum, ''), range(minLength, maxLength, ' characters'), range(minItems, maxItems, ' items')]
    .filter(Boolean)
    .join('; ');
}

function range(low: number | undefined, high: number | undefined, unit: string): string {
  if (low === undefined && high === undefined) return '';
  if (high === undefined) return `at least ${low}${unit}`;
  if (low === undefined) return `at most ${high.toLocaleString('en')}${unit}`;
  return `${low} to ${high.toLocaleString('en')}${unit}`;
}

function standard({ default: value }: Schema): string {
  return value === undefined ? '' : `default ${JSON.stringify(value)}`;
}
