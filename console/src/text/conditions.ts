interface Labelled {
  readonly path: string;
  readonly label?: string | undefined;
  readonly group?: string | undefined;
  readonly unit?: string | undefined;
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

/** Whether an operator takes no value. */
export const takesNoValue = (operator: string): boolean => operator === 'is_known' || operator === 'is_unknown';

/** Whether an operator takes a list. */
export const takesList = (operator: string): boolean => operator === 'in' || operator === 'not_in';

interface Written {
  readonly field: string;
  readonly operator: string;
  readonly value?: unknown;
}

/** Values of a list that are named before the rest is counted. */
const namedValues = 3;

/** A condition as a sentence: Domain · Age is less than 30 days. */
export function conditionText({ field, operator, value }: Written, fields: readonly Labelled[] = []): string {
  const start = `${fieldText(field, fields)} ${operatorText(operator)}`;
  if (value === undefined) return start;
  const unit = fields.find(({ path }) => path === field)?.unit;
  return `${start} ${writtenValue(operator, value)}${unit === undefined ? '' : ` ${unit}`}`;
}

function writtenValue(operator: string, value: unknown): string {
  // Somebody is still writing it.
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return '…';
  if (!Array.isArray(value)) return valueText(value);
  if (operator === 'between') return value.map((end) => (end === null ? '…' : valueText(end))).join(' and ');
  if (value.length <= namedValues + 1) return valueText(value);
  return `${valueText(value.slice(0, namedValues))} and ${value.length - namedValues} more`;
}

/** When a rule matches, as a sentence. */
export function ruleText(
  { match, conditions }: { readonly match: 'all' | 'any'; readonly conditions: readonly Written[] },
  fields: readonly Labelled[] = [],
): string {
  return conditions.map((one) => conditionText(one, fields)).join(match === 'all' ? ' and ' : ' or ');
}
