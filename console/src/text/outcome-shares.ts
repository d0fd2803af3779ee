import { counted, grouped, percent } from './numbers.ts';

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
  readonly good: number;
  readonly bad: number;
}

/** What changed decisions mean for known sign-ups: "would stop 12 more bad sign-ups and 1 good one"; null without outcomes among them. */
export function outcomeSentence(changes: readonly Change[]): string | null {
  const sum = (isWanted: (change: Change) => boolean) =>
    changes.filter(isWanted).reduce((all, { good, bad }) => ({ good: all.good + good, bad: all.bad + bad }), {
      good: 0,
      bad: 0,
    });
  const stopped = sum(({ from, to }) => from === 'allow' && to !== 'allow');
  const allowed = sum(({ from, to }) => from !== 'allow' && to === 'allow');
  const parts = [['stop', stopped] as const, ['allow', allowed] as const].flatMap(([verb, { good, bad }]) =>
    good + bad === 0
      ? []
      : [`${verb} ${counted(bad, 'more bad sign-up', 'more bad sign-ups')} and ${counted(good, 'good one')}`],
  );
  return parts.length === 0 ? null : `It would ${parts.join(', and ')}.`;
}
