const grouping = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const oneDecimal = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** A count with grouped thousands: 48,320. */
export const grouped = (count: number): string => grouping.format(count);

/** A part of 1 as percent, with one decimal below ten: 4.1 %, 38 %; a tiny share is not shown as zero. */
export function percent(part: number): string {
  const percents = part * 100;
  if (percents > 0 && percents < 0.05) return '< 0.1 %';
  return `${Math.abs(percents) < 9.95 && percents !== 0 ? oneDecimal.format(percents) : grouping.format(percents)} %`;
}

/** A short form for the axis of a chart: 1.2K. */
export const short = (count: number): string => compact.format(count);

/** A count with its noun: 1 rule, 2 rules. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;
