import { registered } from './registry.ts';
import type { Described } from './signal.ts';

/** The table of signals in docs/signals.md. */
export function signalsTable(): string {
  const heading = ['in lookups', 'in rules', 'what it says', 'in lookups it is', 'comes from'];
  const rows = registered().map(({ signal }) => [
    lookupCell(signal),
    rulesCell(signal),
    signal.about,
    lookupCell(signal) === '' ? '' : notesCell(signal),
    signal.from,
  ]);
  return [heading, heading.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Signals of an address are in its lookup alone, those of a domain in both. */
function lookupCell({ lookup, subject }: Described): string {
  if (lookup === undefined || lookup.explainOnly) return '';
  const link = `[\`${lookup.name}\`](#${lookup.name})`;
  const condition = lookup.onlyWith === undefined ? '' : `, when \`${lookup.onlyWith}\``;
  return `${link}${subject === 'address' ? ' (email)' : ''}${condition}`;
}

function rulesCell({ gates, subject }: Described): string {
  if (gates === undefined) return '';
  const path = `${subject === 'address' ? 'email' : subject}.${gates.name}`;
  const paths = gates.items === undefined ? [path] : Object.keys(gates.items).map((part) => `${path}.*.${part}`);
  return paths.map((each) => `\`${each}\``).join(', ');
}

function notesCell({ pro, lookup, schema }: Described): string {
  const neverNull = lookup?.always || schema.type === 'array';
  return [...(pro ? ['Pro only'] : []), ...(neverNull ? [] : ['nullable'])].join(', ');
}
