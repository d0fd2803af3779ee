import { grouped } from './numbers.ts';

interface LabelledField {
  readonly path: string;
  readonly label?: string | undefined;
  readonly group?: string | undefined;
  readonly unit?: string | undefined;
}

interface LabelledOperator {
  readonly name: string;
  readonly label: string;
  readonly value: { readonly kind: string };
}

/** The labels of fields and operators, as `GET /v1/fields` lists them. */
export interface Labels {
  readonly fields: readonly LabelledField[];
  readonly operators: readonly LabelledOperator[];
  /** The custom lists of the environment. */
  readonly lists?: readonly { readonly id: string; readonly name: string }[] | undefined;
}

const noLabels: Labels = { fields: [], operators: [] };

/** A field by its subject and label: Domain · Age. */
export function fieldText(path: string, fields: readonly LabelledField[]): string {
  const field = fields.find((one) => one.path === path);
  if (field?.label === undefined) return path.replaceAll('.', ' · ').replaceAll('_', ' ');
  const [subject] = field.group?.split(' · ') ?? [];
  return subject ? `${subject.charAt(0).toUpperCase()}${subject.slice(1)} · ${field.label}` : field.label;
}

/** Fields that many subjects do not have: without a value they are known to be absent. */
const oftenAbsent = /^(email\.subaddress|domain\.(subdomain|did_you_mean|disposable_provider))$/;

/** Whether a missing value of a field is unknown, rather than known to be absent. */
export const isUnknown = (value: unknown, path: string): boolean =>
  (value === null || value === undefined) && !oftenAbsent.test(path);

/** A value in words: yes, no, 12, or the text itself; numbers that are names, such as AS numbers, are not grouped. */
export function valueText(value: unknown, path = ''): string {
  if (value === null || value === undefined) return isUnknown(value, path) ? 'unknown' : 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (path.endsWith('.asn')) return Array.isArray(value) ? value.join(', ') : String(value);
  if (typeof value === 'number') return grouped(value, 3);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((one) => valueText(one, path)).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

interface Written {
  readonly field: string;
  readonly operator: string;
  readonly value?: unknown;
}

/** How many values of a list are named before the rest is counted. */
const namedValues = 3;

/** A condition as a sentence: Domain · Age is less than 30 days. */
export function conditionText(
  { field, operator, value }: Written,
  { fields, operators, lists = [] }: Labels = noLabels,
  most = namedValues,
): string {
  const known = operators.find(({ name }) => name === operator);
  const start = `${fieldText(field, fields)} ${known?.label ?? operator.replaceAll('_', ' ')}`;
  if (value === undefined) return start;
  const suffix = operator === 'matches' ? nameAndBelow(value) : null;
  if (suffix !== null) return `${fieldText(field, fields)} is ${suffix} or below it`;
  if (known?.value.kind === 'custom_list') {
    const list = lists.find(({ id }) => id === value);
    return `${start} ${list === undefined ? writtenValue(value, false, field, most) : `“${list.name}”`}`;
  }
  const unit = fields.find(({ path }) => path === field)?.unit;
  return `${start} ${writtenValue(value, known?.value.kind === 'range', field, most)}${unit === undefined ? '' : ` ${unit}`}`;
}

/** The host name of a pattern that matches it and every name below it, as drafted rules have it; null for any other. */
function nameAndBelow(value: unknown): string | null {
  const found = typeof value === 'string' ? /^\(\^\|\\\.\)((?:[a-z0-9-]|\\\.)+)\$$/i.exec(value) : null;
  return found?.[1]?.replaceAll('\\.', '.') ?? null;
}

function writtenValue(value: unknown, isRange: boolean, path: string, most: number): string {
  // The user has not entered it yet.
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return '…';
  if (!Array.isArray(value)) return valueText(value, path);
  if (isRange) return value.map((end) => (end === null ? '…' : valueText(end, path))).join(' and ');
  if (value.length <= most + 1) return valueText(value, path);
  return `${valueText(value.slice(0, most), path)} and ${value.length - most} more`;
}

/** When a rule matches, as a sentence. */
export function ruleText(
  { match, conditions }: { readonly match: 'all' | 'any'; readonly conditions: readonly Written[] },
  labels: Labels = noLabels,
  most = namedValues,
): string {
  return conditions.map((one) => conditionText(one, labels, most)).join(match === 'all' ? ' and ' : ' or ');
}
