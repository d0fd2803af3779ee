import type { WaveTimeline } from '../../api/waves.ts';
import { clockTime, dayName } from '../../text/times.ts';

/** A bar of the chart; padding shows that nothing arrived before and after. */
export interface ChartBar {
  readonly from: number;
  readonly to: number;
  readonly allow: number;
  readonly block: number;
  readonly challenge: number;
  readonly in_window: number;
  readonly isPadding: boolean;
}

const padding = 3;
/** With fewer bars, each would be as wide as a button. */
const minBars = 30;
const dayMs = 86_400_000;

/** The bars of a wave, with empty ones around them. */
export function barsAround({ interval_seconds, bars }: WaveTimeline): ChartBar[] {
  const intervalMs = interval_seconds * 1_000;
  const made = bars.map((bar) => {
    const from = Date.parse(bar.at);
    return { ...bar, from, to: from + intervalMs, isPadding: false };
  });
  const firstMs = made[0]?.from ?? 0;
  const lastMs = made.at(-1)?.from ?? 0;
  const empty = (from: number): ChartBar => ({
    from,
    to: from + intervalMs,
    allow: 0,
    block: 0,
    challenge: 0,
    in_window: 0,
    isPadding: true,
  });
  const after = Math.max(padding, minBars - made.length - padding);
  return [
    ...Array.from({ length: padding }, (_, index) => empty(firstMs + (index - padding) * intervalMs)),
    ...made,
    ...Array.from({ length: after }, (_, index) => empty(lastMs + (index + 1) * intervalMs)),
  ];
}

/** Where the parts of the chart are, in pixels. */
export interface ChartPlaces {
  readonly step: number;
  readonly most: number;
  readonly maxInWindow: number;
  readonly x: (index: number) => number;
  readonly centre: (index: number) => number;
  readonly at: (moment: string) => number;
  /** The bar at an offset; null for padding. */
  readonly indexAt: (offset: number) => number | null;
  readonly width: number;
}

interface Room {
  readonly width: number;
  readonly left: number;
  readonly threshold: number | null;
}

export function placesOf(bars: readonly ChartBar[], { width, left, threshold }: Room): ChartPlaces {
  const step = (width - left) / Math.max(1, bars.length);
  const x = (index: number) => left + index * step;
  const [start, end] = [bars[0]?.from ?? 0, bars.at(-1)?.to ?? 1];
  return {
    step,
    width,
    most: Math.max(2, ...bars.map(({ allow, block, challenge }) => allow + block + challenge)),
    maxInWindow: Math.max(1, (threshold ?? 0) * 1.25, ...bars.map(({ in_window }) => in_window)),
    x,
    centre: (index) => x(index) + step / 2,
    at: (moment) => left + ((Date.parse(moment) - start) / (end - start)) * (width - left),
    indexAt(offset) {
      const index = Math.floor((offset - left) / step);
      return bars[index]?.isPadding === false ? index : null;
    },
  };
}

export interface Ticked {
  readonly x: number;
  readonly text: string;
}

/** Round times, as many as have room: of days where the wave lasted several. */
export function ticksOf(bars: readonly ChartBar[], places: ChartPlaces): Ticked[] {
  const [start, end] = [bars[0]?.from ?? 0, bars.at(-1)?.to ?? 0];
  const minutes = [5, 10, 15, 30, 60, 120, 360, 720, 1_440, 2_880, 10_080];
  const room = Math.max(2, Math.floor(places.width / 72));
  const every = (minutes.find((each) => (end - start) / (each * 60_000) <= room) ?? 10_080) * 60_000;
  const name = every >= dayMs ? dayName : clockTime;
  const ticks: Ticked[] = [];
  for (let at = Math.ceil(start / every) * every; at < end; at += every) {
    const x = places.at(new Date(at).toISOString());
    if (x > 44 && x < places.width - 18) ticks.push({ x, text: name(at) });
  }
  return ticks;
}
