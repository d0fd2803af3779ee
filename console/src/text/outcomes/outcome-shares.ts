import { counted, grouped, percent } from '../numbers.ts';

/** 95 %. */
const z = 1.96;

/** The interval in which a share lies with 95 % confidence (Wilson score): three of three are not 100 %. */
export function wilson(hits: number, total: number): readonly [low: number, high: number] {
  if (total === 0) return [0, 1];
  const share = hits / total;
  const centre = share + z ** 2 / (2 * total);
  const spread = z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2));
  const scale = 1 + z ** 2 / total;
  return [Math.max(0, (centre - spread) / scale), Math.min(1, (centre + spread) / scale)];
}

/** How many of the decisions with an outcome are bad: "3 of 3 reported were bad (likely 44–100 %)"; null without outcomes. */
export function badShare({ good, bad }: { readonly good: number; readonly bad: number }): string | null {
  const total = good + bad;
  if (total === 0) return null;
  const [low, high] = wilson(bad, total);
  return `${grouped(bad)} of ${grouped(total)} reported were bad (likely ${percent(low).replace(/\s?%$/, '')}–${percent(high)})`;
}

interface Change {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly good: number;
  readonly bad: number;
}

/** Whom changed decisions concern: "It would stop 12 bad sign-ups, 1 good and 3 of unknown outcome."; null without outcomes among them. */
export function outcomeSentence(changes: readonly Change[]): string | null {
  const parts = (
    [
      ['stop', ({ from, to }: Change) => from === 'allow' && to !== 'allow'],
      ['allow', ({ from, to }: Change) => from !== 'allow' && to === 'allow'],
    ] as const
  ).flatMap(([verb, isWanted]) => {
    const wanted = changes.filter(isWanted);
    const sum = (name: 'count' | 'good' | 'bad') => wanted.reduce((total, change) => total + change[name], 0);
    const [good, bad] = [sum('good'), sum('bad')];
    if (good + bad === 0) return [];
    return [
      `${verb} ${counted(bad, 'bad sign-up')}, ${grouped(good)} good and ${grouped(sum('count') - good - bad)} of unknown outcome`,
    ];
  });
  return parts.length === 0 ? null : `It would ${parts.join(', and ')}.`;
}
