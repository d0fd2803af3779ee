import type { Endpoint, ToolDescription } from '../http/endpoint.ts';
import type { JsonSchema } from '../input/schema.ts';

/** Where an argument goes. */
export type Place = 'path' | 'query' | 'body' | 'tool';

/** An endpoint as an agent sees it. */
export interface Tool extends ToolDescription {
  readonly endpoint: Endpoint;
  /** Where each argument goes. */
  readonly places: ReadonlyMap<string, Place>;
  /** As it is listed. */
  readonly definition: {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: JsonSchema;
    /** Only where it is small: every agent reads the whole list of tools. */
    readonly outputSchema?: JsonSchema;
    readonly annotations: JsonSchema;
  };
}

/** The tools among endpoints, in the order of the endpoints. */
export function toolsOf(endpoints: readonly Endpoint[]): readonly Tool[] {
  const tools = endpoints.flatMap((endpoint) => (endpoint.tool === undefined ? [] : [toolOf(endpoint, endpoint.tool)]));
  const names = new Set(tools.map(({ name }) => name));
  if (names.size < tools.length) throw new Error('two endpoints are tools of the same name');
  return tools;
}

function toolOf(endpoint: Endpoint, tool: ToolDescription): Tool {
  const { params, query, body } = endpoint.schemas;
  const parts = [
    { place: 'path', fields: withOrigins(fieldsOf(params)) },
    { place: 'query', fields: fieldsOf(query).filter(({ name }) => !Object.hasOwn(tool.fixed ?? {}, name)) },
    { place: 'body', fields: fieldsOf(body) },
    { place: 'tool', fields: tool.concise === undefined ? [] : [fullField] },
  ] as const;
  const fields = parts.flatMap((part) => part.fields);
  const places = new Map(parts.flatMap((part) => part.fields.map(({ name }) => [name, part.place] as const)));
  if (places.size < fields.length) throw new Error(`two arguments of the tool ${tool.name} have the same name`);
  const required = fields.filter((field) => field.isRequired).map(({ name }) => name);
  return {
    ...tool,
    endpoint,
    places,
    definition: {
      name: tool.name,
      description: descriptionOf(endpoint, tool),
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
        ...(required.length === 0 ? {} : { required }),
        additionalProperties: false,
      },
      ...outputSchemaOf(endpoint, tool),
      annotations: annotationsOf(endpoint, tool),
    },
  };
}

function descriptionOf({ summary, description, chargeable }: Endpoint, { guide }: ToolDescription): string {
  const cost = chargeable ? 'Costs credits: read_status tells how many are left.' : undefined;
  return [`${summary}.`, description, guide, cost].filter((part) => part !== undefined).join(' ');
}

const maxOutputSchemaLength = 1_300;

function outputSchemaOf(
  { schemas: { response } }: Endpoint,
  { concise }: ToolDescription,
): { outputSchema?: JsonSchema } {
  const isSmall = response !== undefined && JSON.stringify(response).length <= maxOutputSchemaLength;
  return isSmall && concise === undefined ? { outputSchema: response } : {};
}

/** Hints for the client's user before the agent continues. */
function annotationsOf({ method }: Endpoint, { access, destructive }: ToolDescription): JsonSchema {
  if (access === 'read') return { readOnlyHint: true };
  return {
    readOnlyHint: false,
    destructiveHint: destructive ?? method !== 'POST',
    idempotentHint: method === 'PUT' || method === 'DELETE',
  };
}

const fullField: Field = {
  name: 'full',
  schema: { type: 'boolean', description: 'True returns the whole response; by default only its most useful parts' },
  isRequired: false,
};

interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

function fieldsOf(object: JsonSchema | undefined): Field[] {
  const { properties = {}, required = [] } = (object ?? {}) as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties)
    .filter(([, schema]) => schema.readOnly !== true)
    .map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) }));
}

/** Where an agent gets the values of a path. */
const origins: Readonly<Record<string, string>> = {
  gate_id: 'The id of a gate, from list_gates',
  rule_id: 'The id of a rule, from read_gate',
  decision_id: 'The id of a decision, from list_decisions',
  revision: 'The number of a revision, from list_revisions, or current',
  wave_id: 'The id of a wave, from list_waves',
  domain: 'A domain name such as example.com',
  email: 'An email address such as jane@example.com',
};

function withOrigins(fields: readonly Field[]): Field[] {
  return fields.map((field) => {
    const description = origins[field.name];
    return description === undefined ? field : { ...field, schema: { ...field.schema, description } };
  });
}
