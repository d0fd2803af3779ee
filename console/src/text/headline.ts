import { counted, grouped } from './numbers.ts';
import { clockTime, dayName } from './times.ts';

interface Hour {
  readonly at: string;
  readonly allow: number;
  readonly block: number;
  readonly challenge: number;
}

interface Wave {
  readonly kind: string;
  readonly value: string;
  readonly began_at: string;
  readonly last_at: string;
}

const hourMs = 3_600_000;

/** A summary in one sentence: the blocks, and the hour that stands out, with the network of a wave in it. */
export function headline(hours: readonly Hour[], span: string, waves: readonly Wave[] = []): string {
  const sum = (name: 'allow' | 'block' | 'challenge') => hours.reduce((total, hour) => total + hour[name], 0);
  const [all, blocked] = [sum('allow') + sum('block') + sum('challenge'), sum('block')];
  if (all === 0) return `No decisions in ${span}.`;
  if (blocked === 0)
    return `Nothing blocked in ${span}: ${counted(all, 'decision')}, ${grouped(sum('challenge'))} challenged.`;
  const busiest = hours.reduce((most, hour) => (hour.block > most.block ? hour : most));
  const start = `${grouped(blocked)} of ${counted(all, 'decision')} blocked in ${span}`;
  // Outstanding: a quarter of all blocks, and far above the average hour.
  const isPeak = busiest.block >= 10 && busiest.block * 4 >= blocked && busiest.block * hours.length >= 10 * blocked;
  if (!isPeak) return `${start}.`;
  const at = Date.parse(busiest.at);
  const wave = waves.find(({ began_at, last_at }) => Date.parse(began_at) < at + hourMs && Date.parse(last_at) >= at);
  const source = wave === undefined ? '' : wave.kind === 'network' ? ` from ${wave.value}` : ` (wave: ${wave.value})`;
  return `${start}, ${grouped(busiest.block)} of them within one hour on ${dayName(at)} at ${clockTime(at)}${source}.`;
}
