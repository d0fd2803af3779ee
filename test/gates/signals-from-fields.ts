import { type DecisionSignals, gateSignals, type SubjectName, type Values } from '../../src/gates/rules/signals.ts';

/** Signals as field paths and values, for the table of cases and the tester of the rule editor. */
export type FieldValues = Readonly<Record<string, boolean | number | string | readonly string[]>>;

/**
 * Signals in which only the named fields are known, plus those that are never unknown: the domain's name, and the parts of an
 * address or the IP address once one of their fields is named.
 */
export function signalsFromFields(values: FieldValues): DecisionSignals {
  return {
    email: names(values, 'email') ? valuesOf('email', { ...addressForms(values), ...values }) : null,
    domain: valuesOf('domain', { 'domain.name': 'example.com', ...values }),
    ip: names(values, 'ip') ? valuesOf('ip', { 'ip.address': '203.0.113.7', ...values }) : null,
    ...(names(values, 'traffic') && { traffic: valuesOf('traffic', values) }),
  };
}

function names(values: FieldValues, subject: SubjectName): boolean {
  return Object.keys(values).some((path) => path.startsWith(`${subject}.`));
}

function addressForms(values: FieldValues): FieldValues {
  const localPart = String(values['email.local_part'] ?? 'jane');
  const address = String(values['email.address'] ?? `${localPart}@example.com`);
  return {
    'email.address': address,
    'email.normalized': address.toLowerCase(),
    'email.local_part': localPart,
    'email.local_part_length': localPart.length,
  };
}

function valuesOf(subject: SubjectName, values: FieldValues): Values {
  return gateSignals[subject].map(({ schema, gates }) => {
    const path = `${subject}.${gates.name}`;
    return schema.type === 'array'
      ? listOf(path, schema.items.properties, values)
      : ((values[path] ?? null) as Values[number]);
  });
}

/** Elements with the named properties; the others have placeholder values. */
function listOf(
  path: string,
  properties: Readonly<Record<string, { readonly type: string }>>,
  values: FieldValues,
): readonly object[] | null {
  const given = (part: string) => values[`${path}.*.${part}`] as readonly string[] | undefined;
  const parts = Object.entries(properties);
  const named = parts.map(([part]) => given(part)).find((texts) => texts !== undefined);
  if (named === undefined) return null;
  return named.map((_, index) =>
    Object.fromEntries(
      parts.map(([part, { type }]) => [
        part,
        given(part)?.[index] ?? (type === 'integer' ? 10 * (index + 1) : 'other'),
      ]),
    ),
  );
}
