import type { Wave } from '../../api/waves.ts';
import { Pill } from '../../ui/pill.tsx';

/** The verdict on a wave, or whether it is still open. */
export function WaveState({ wave: { state, verdict } }: { wave: Pick<Wave, 'state' | 'verdict'> }) {
  if (verdict === 'fine') return <Pill tone="allow">fine</Pill>;
  if (verdict === 'attack') return <Pill tone="block">attack</Pill>;
  if (state === 'open') return <Pill tone="challenge">in progress</Pill>;
  return <Pill tone="unknown">no verdict</Pill>;
}
