import type { Explanation } from '../signals/engine.ts';
import { registered } from '../signals/registry.ts';
import { table } from './command.ts';
import { type Paint, plain } from './paint.ts';

/** One value of `signalpost check`: the body of its lookup, or its error. */
export type CheckedValue =
  | { readonly value: string; readonly body: Readonly<Record<string, unknown>> }
  | { readonly value: string; readonly error: string };

/** Up to this many values have a block each; more become a table with a line each. */
const maxBlocks = 8;

/** The signals for a reader. Explanations need blocks. */
export function checkText(checked: readonly CheckedValue[], paint: Paint = plain): string {
  const isExplained = checked.some(
    (each) => 'body' in each && 'explain' in each.body && each.body.explain !== undefined,
  );
  return checked.length <= maxBlocks || isExplained
    ? checked.map((each) => block(each, paint)).join('\n\n')
    : overview(checked);
}

/** Names that repeat the heading or hold no signal. */
const notShown = new Set(['status', 'email', 'explain']);

function block(checked: CheckedValue, paint: Paint): string {
  if ('error' in checked) return `${paint('bold', checked.value)}\n  ${paint('red', checked.error)}`;
  const explain = (checked.body.explain ?? {}) as Readonly<Record<string, Explanation>>;
  const names = Object.keys(checked.body).filter((name) => !notShown.has(name) && checked.body[name] !== undefined);
  const width = Math.max(...names.map((name) => name.length));
  const lines = names.flatMap((name) => [
    `  ${name.padEnd(width)}  ${show(checked.body[name])}`,
    ...reasonsFor(name, explain).map((reason) => `  ${' '.repeat(width)}    ${paint('dim', reason)}`),
  ]);
  return [paint('bold', checked.value), ...lines].join('\n');
}

/** The reasons behind one field of a checked value. */
export function evidenceOf(checked: CheckedValue, field: string): string[] {
  if ('error' in checked) return [checked.error];
  return reasonsFor(field, (checked.body.explain ?? {}) as Readonly<Record<string, Explanation>>);
}

/** An address can be disposable where its domain is not. */
function reasonsFor(name: string, explain: Readonly<Record<string, Explanation>>): string[] {
  const address =
    name === 'disposable' && explain.disposable_address?.known === true ? explain.disposable_address : undefined;
  return [...reasons(explain[name]), ...reasons(address)];
}

function reasons(explanation: Explanation | undefined): string[] {
  if (explanation === undefined) return [];
  if (!explanation.known) return [`unknown: ${explanation.reason.replaceAll('_', ' ')}`];
  return explanation.evidence.map(({ source, detail, entry, date }) => {
    const about = [entry, date?.slice(0, 10)].filter((part) => part !== undefined).join(', ');
    return `${source}: ${detail}${about === '' ? '' : ` (${about})`}`;
  });
}

/** Verdicts before facts, each in the order of the registry. */
const columns = (['verdict', 'fact'] as const).flatMap((kind) =>
  registered().flatMap(({ signal: { lookup } }) => (lookup?.column === kind ? [lookup.name] : [])),
);

function overview(checked: readonly CheckedValue[]): string {
  return table(
    ['value', ...columns],
    checked.map((each) =>
      'error' in each
        ? [each.value, each.error]
        : [each.value, ...columns.map((column) => (column in each.body ? show(each.body[column]) : ''))],
    ),
  );
}

/** A value for people; unknown is a dash. */
function show(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (!Array.isArray(value)) return String(value);
  return value.length === 0 ? '–' : value.map(showItem).join(', ');
}

function showItem(item: { readonly hostname?: string; readonly priority?: number; readonly slug?: string }): string {
  return item.hostname === undefined ? (item.slug ?? '') : `${item.priority} ${item.hostname}`;
}
