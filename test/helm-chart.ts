import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

type Values = Readonly<Record<string, unknown>>;

/** Renders the manifests of a chart, with the Helm functions that our templates use: `quote`, `toYaml`, `nindent`, `default`, and a sum of seconds. */
export function renderChart(folder: string, change: (values: Values) => Values = (values) => values): string[] {
  const values = change(parse(readFileSync(join(folder, 'values.yaml'), 'utf8')) as Values);
  const templates = join(folder, 'templates');
  const { appVersion } = parse(readFileSync(join(folder, 'Chart.yaml'), 'utf8')) as { appVersion: string };
  const scope = { Values: values, Release: { Name: 'test' }, Chart: { AppVersion: appVersion } };
  return readdirSync(templates).map((file) =>
    renderLines(readFileSync(join(templates, file), 'utf8').split('\n'), scope),
  );
}

/** Renders line by line; a block is skipped, rendered once, or repeated with its variables. */
function renderLines(lines: readonly string[], scope: Values): string {
  let text = '';
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const { word, given } = controlOf(line);
    if (word === 'end') throw new Error(`line ${at + 1}: an end without a block`);
    if (word === null) {
      text += `${fillIn(line, scope)}\n`;
      continue;
    }
    const end = endOf(lines, at);
    const iterations = word === 'if' ? (holds(given, scope) ? [scope] : []) : iterationsOf(given, scope);
    for (const iteration of iterations) text += renderLines(lines.slice(at + 1, end), iteration);
    at = end;
  }
  return text;
}

function controlOf(line: string): { readonly word: string | null; readonly given: string } {
  const [, word = null, given = ''] = /^\s*\{\{-? *(if|range|end)\b *(.*?) *-?\}\}\s*$/.exec(line) ?? [];
  return { word, given };
}

/** The line that ends the block starting at a line. */
function endOf(lines: readonly string[], start: number): number {
  let depth = 0;
  for (let at = start; at < lines.length; at += 1) {
    const { word } = controlOf(lines[at] ?? '');
    if (word !== null) depth += word === 'end' ? -1 : 1;
    if (depth === 0) return at;
  }
  throw new Error(`line ${start + 1} has no end`);
}

function holds(given: string, scope: Values): boolean {
  const isNegated = given.startsWith('not ');
  return isTrue(lookUp(isNegated ? given.slice(4) : given, scope)) !== isNegated;
}

/** Helm takes an empty list, map or text as false. */
function isTrue(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

function iterationsOf(given: string, scope: Values): Values[] {
  const [, name = '', value = '', path = ''] = /^\$(\w+), \$(\w+) := (\S+)$/.exec(given) ?? [];
  return Object.entries((lookUp(path, scope) ?? {}) as Values).map(([key, each]) => ({
    ...scope,
    [`$${name}`]: key,
    [`$${value}`]: each,
  }));
}

function fillIn(line: string, scope: Values): string {
  return line.replace(/\{\{-? *(.*?) *-?\}\}/g, (_, expression: string) => {
    const sum = /^add (\d+) \(div \(int \(\((\S+)\)\.(\w+) \| default (\d+)\)\) 1000\)$/.exec(expression);
    if (sum !== null) {
      const [, add, path = '', name = '', otherwise] = sum;
      // The parentheses are what reads a field of nothing as nothing.
      const milliseconds = (lookUp(path, scope) as Values | null)?.[name] || otherwise;
      return String(Number(add) + Math.trunc(Number(milliseconds) / 1_000));
    }
    const [path = '', ...filters] = expression.replace(/^toYaml /, '').split(/ *\| */);
    const value = lookUp(path, scope);
    const indent = Number(/^nindent (\d+)$/.exec(filters[0] ?? '')?.[1] ?? 0);
    if (indent > 0) return `\n${stringify(value).trimEnd().replaceAll(/^/gm, ' '.repeat(indent))}`;
    const [, otherwise] = /^default (\S+)$/.exec(filters[0] ?? '') ?? [];
    if (otherwise !== undefined && !isTrue(value)) return String(lookUp(otherwise, scope));
    return filters[0] === 'quote' ? JSON.stringify(String(value)) : String(value);
  });
}

function lookUp(path: string, scope: Values): unknown {
  // `$.` is the root, also inside a range.
  const own = path.replace(/^\$\./, '.');
  const parts = own.startsWith('$') ? [own] : own.slice(1).split('.');
  const value = parts.reduce<unknown>((from, part) => (from as Values | undefined)?.[part], scope);
  if (value === undefined) throw new Error(`the chart has no ${path}`);
  return value;
}
