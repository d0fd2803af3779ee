/** `850 MB`, `12.4 GB`. */
export function bytesText(bytes: number): string {
  const gigabytes = bytes / 2 ** 30;
  return gigabytes >= 1 ? `${gigabytes.toFixed(1)} GB` : `${Math.round(bytes / 2 ** 20)} MB`;
}

/** A span in the largest unit that fits: `3 days`, `40 s`. */
export function durationText(ms: number): string {
  const units: readonly [number, string][] = [
    [2 * 86_400_000, 'days'],
    [2 * 3_600_000, 'h'],
    [2 * 60_000, 'min'],
  ];
  const [limit, unit] = units.find(([least]) => ms >= least) ?? [2_000, 's'];
  return `${Math.max(0, Math.floor(ms / (limit / 2)))} ${unit}`;
}

/** `2026-11-17 15:04:05 UTC`. */
export const dateText = (iso: string): string => `${iso.slice(0, 19).replace('T', ' ')} UTC`;
