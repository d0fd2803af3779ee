import { type JsonSchema, type OptionalProperty, type Properties, schema } from '../input/schema.ts';
import { addressFields, domainFields, type LookupField } from './lookup-fields.ts';

/** The schema of a signal in a lookup. A list is never null there: unknown is empty. */
function fieldSchema({ signal, place }: LookupField): JsonSchema | OptionalProperty {
  const { enum: values, ...wire } = { enum: undefined, ...signal.schema };
  const description = [
    ...(place.note === undefined ? [] : [place.note]),
    ...(values === undefined ? [] : [`${values.join(', ')}; null when not assessed`]),
    ...(place.needsMx ? ['Omitted when include_mx=false'] : []),
    ...(place.onlyWith === undefined ? [] : [`Only when ${place.onlyWith} is true.`]),
    ...(signal.pro ? ['Pro only: omitted on other plans'] : []),
  ].join(' ');
  const field = {
    ...wire,
    type: place.always || wire.type === 'array' ? wire.type : [wire.type, 'null'],
    ...(place.deprecated ? { deprecated: true } : {}),
    ...(description === '' ? {} : { description }),
  };
  const canBeMissing = signal.pro || place.needsMx || place.onlyWith !== undefined;
  return canBeMissing ? schema.optional(field) : field;
}

const properties = (fields: readonly LookupField[]): Properties =>
  Object.fromEntries(
    fields.flatMap((field) => [
      [field.place.name, fieldSchema(field)],
      ...Object.entries(properties(field.dependents)),
    ]),
  );

const status = { status: schema.integer({ examples: [200] }) };
const ofDomain: Properties = {
  domain: schema.string(),
  ...properties(domainFields),
  explain: schema.optional({ type: 'object', additionalProperties: true, description: 'Only with explain=true' }),
};

/** The body of `GET /domain/{domain}`. */
export const domainSchema = schema.object({ ...status, ...ofDomain });

/** The body of `GET /email/{email}`. */
export const emailSchema = schema.object({
  ...status,
  email: schema.string({ description: 'As submitted' }),
  ...properties(addressFields),
  ...ofDomain,
});
