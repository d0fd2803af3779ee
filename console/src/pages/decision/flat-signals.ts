import type { SignalValues } from '../../api/trace.ts';

/** Signals as field paths and values; a list of objects is shown by their names. */
export function flatSignals(signals: SignalValues): [path: string, value: unknown][] {
  return Object.entries(signals).flatMap(([subject, values]) => (values === null ? [] : flat(values, subject)));
}

function flat(values: object, path: string): [string, unknown][] {
  return Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    const here = `${path}.${name}`;
    if (Array.isArray(value)) return [[here, value.map(nameOf)]];
    return typeof value === 'object' && value !== null ? flat(value, here) : [[here, value]];
  });
}

function nameOf(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item;
  const { slug, hostname } = item as { slug?: unknown; hostname?: unknown };
  return slug ?? hostname ?? JSON.stringify(item);
}
