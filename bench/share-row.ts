import type { Row } from './row.ts';

/** A row with the share of the inputs that pass a test. */
export async function shareRow<T>(
  what: string,
  inputs: readonly T[],
  passes: (input: T) => boolean | Promise<boolean>,
  goal?: string,
): Promise<Row> {
  let count = 0;
  for (const input of inputs) if (await passes(input)) count += 1;
  return {
    what: `${what} (${count.toLocaleString('en')} of ${inputs.length.toLocaleString('en')})`,
    value: (100 * count) / inputs.length,
    unit: '%',
    ...(goal === undefined ? {} : { goal }),
  };
}
