interface Labelled {
  readonly path: string;
  readonly label?: string | undefined;
  readonly group?: string | undefined;
}

const operatorWords: Readonly<Record<string, string>> = {
  equals: 'is',
  not_equals: 'is not',
  in: 'is one of',
  not_in: 'is none of',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'begins with',
  ends_with: 'ends with',
  matches: 'matches',
  not_matches: 'does not match',
  greater_than: 'is more than',
  greater_than_or_equal: 'is at least',
  less_than: 'is less than',
  less_than_or_equal: 'is at most',
  between: 'is between',
  is_known: 'is known',
  is_unknown: 'is unknown',
};

/** An operator in words. */
export const operatorText = (operator: string): string => operatorWords[operator] ?? operator.replaceAll('_', ' ');

/** A field by its label and where it belongs: Domain · Age. */
export function fieldText(path: string, fields: readonly Labelled[] = []): string {
  const field = fields.find((one) => one.path === path);
  if (field?.label === undefined) return path.replaceAll('.', ' · ').replaceAll('_', ' ');
  const [subject] = field.group?.split(' · ') ?? [];
  return subject ? `${subject} · ${field.label}` : field.label;
}

/** A value as somebody would say it: yes, no, 12, or the text itself. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'unknown';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return new Intl.NumberFormat('en', { maximumFractionDigits: 3 }).format(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueText).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A condition as a sentence: Domain · Age is less than 30. */
export function conditionText(
  { field, operator, value }: { readonly field: string; readonly operator: string; readonly value?: unknown },
  fields: readonly Labelled[] = [],
): string {
  const start = `${fieldText(field, fields)} ${operatorText(operator)}`;
  if (value === undefined) return start;
  if (operator === 'between' && Array.isArray(value)) return `${start} ${value.map(valueText).join(' and ')}`;
  if (Array.isArray(value) && value.length > 4) {
    return `${start} ${value.slice(0, 3).map(valueText).join(', ')} and ${value.length - 3} more`;
  }
  return `${start} ${valueText(value)}`;
}
