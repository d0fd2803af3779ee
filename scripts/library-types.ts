// Generates src/library/answer.ts, the types of the library's results, from the signals. --check fails when it is stale.
import { readFile, writeFile } from 'node:fs/promises';
import { addressFields, domainFields, type LookupField } from '../src/lookups/lookup-fields.ts';
import { members, type Schema } from './typescript-of-schema.ts';

const file = new URL('../src/library/answer.ts', import.meta.url);
const text = `// Made from the signals by scripts/library-types.ts; do not edit.

/** Signals of a domain; null is unknown. */
export interface DomainSignals {
  readonly domain: string;
${fieldsOf(domainFields)}}

/** Signals of an address and of its domain; null is unknown. */
export interface EmailSignals extends DomainSignals {
  /** As it was given. */
  readonly email: string;
${fieldsOf(addressFields)}}
`;

function fieldsOf(fields: readonly LookupField[]): string {
  const schema: Schema = {
    properties: Object.fromEntries(propertiesOf(fields)),
    required: fields.map(({ place }) => place.name),
  };
  return members(schema, 'input', '  ').replaceAll(/^( +)(?=[a-z_]+\??: )/gm, '$1readonly ');
}

/** Omits fields that depend on the caller: a library has no accounts. */
function propertiesOf(fields: readonly LookupField[]): [string, Schema][] {
  return fields.flatMap(({ signal, place, dependents }): [string, Schema][] => {
    if ('readForCaller' in signal) return [];
    const isNeverNull = place.always || signal.schema.type === 'array';
    const type = isNeverNull ? signal.schema.type : [signal.schema.type, 'null'];
    const condition = place.onlyWith === undefined ? '' : ` Only when ${place.onlyWith} is true.`;
    const { enum: values, ...wire } = { enum: undefined, ...signal.schema };
    const schema: Schema =
      values === undefined ? { ...wire, type } : { enum: [...values, ...(isNeverNull ? [] : [null])] };
    return [[place.name, { ...schema, description: signal.about + condition }], ...propertiesOf(dependents)];
  });
}

if (!process.argv.includes('--check')) await writeFile(file, text);
else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
  console.error('src/library/answer.ts is stale; run: node scripts/library-types.ts');
  process.exitCode = 1;
}
