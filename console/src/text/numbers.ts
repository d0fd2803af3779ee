// Written here, as are times: the first formatter of Intl in a page takes as long as rendering it.

/** A number with grouped thousands and as many decimals as it has, up to a limit: 48,320. */
export const grouped = (count: number, decimals = 0): string =>
  String(Number(count.toFixed(decimals))).replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/** A part of 1 as percent, with one decimal below ten: 4.1 %, 38 %; a tiny share is not shown as zero. */
export function percent(part: number): string {
  const percents = part * 100;
  if (percents > 0 && percents < 0.05) return '< 0.1 %';
  return `${Math.abs(percents) < 9.95 && percents !== 0 ? percents.toFixed(1) : grouped(percents)} %`;
}

/** A count with its noun: 1 rule, 2 rules. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;
