import { counted } from './numbers.ts';
import { clockTime, dayAndTime } from './times.ts';

interface Bar {
  readonly from: number;
  readonly to: number;
  readonly allow: number;
  readonly block: number;
  readonly challenge: number;
  readonly in_window: number;
}

const windowName = (isSlow: boolean): string => (isSlow ? 'day' : 'hour');

/** One bar of a wave in words: "03:04: 3 got in, 2 blocked; 12 addresses within the last hour." */
export function barText({ from, to, allow, block, challenge, in_window }: Bar, isSlow: boolean): string {
  const parts = [
    allow > 0 ? `${allow} got in` : '',
    challenge > 0 ? `${challenge} challenged` : '',
    block > 0 ? `${block} blocked` : '',
  ].filter((part) => part !== '');
  const time = to - from >= 86_400_000 || isSlow ? dayAndTime(from) : clockTime(from);
  const what = parts.length === 0 ? 'nothing' : parts.join(', ');
  return `${time}: ${what}; ${counted(in_window, 'address', 'addresses')} within the last ${windowName(isSlow)}.`;
}

/** Explains the line above the bars and its threshold. */
export function thresholdText(threshold: number | null, isSlow: boolean): string {
  if (threshold === null) return 'Point at a bar, or use the arrow keys.';
  return `The line counts addresses within the last ${windowName(isSlow)}; from ${threshold} on it was a wave.`;
}
