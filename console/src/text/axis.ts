import { grouped } from './numbers.ts';

const units: readonly (readonly [size: number, letter: string])[] = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
  [1, ''],
];

/** A short form for the axis of a chart: 1.2K. */
export function short(count: number): string {
  const [size, letter] = units.find(([one]) => count >= one * 0.999_95) ?? [1, ''];
  return `${grouped(count / size, 1)}${letter}`;
}
