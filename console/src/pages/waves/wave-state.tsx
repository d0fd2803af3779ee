import type { Wave } from '../../api/waves.ts';
import { Pill } from '../../ui/pill.tsx';

type Judged = Pick<Wave, 'state' | 'verdict' | 'stopped'>;

/** The colour of a wave: only one that still lets sign-ups in is red. */
export function toneOf({ state, verdict, stopped }: Judged): 'open' | 'stopped' | 'fine' | 'ended' {
  if (verdict === 'fine') return 'fine';
  if (stopped) return 'stopped';
  return state;
}

/** The verdict on a wave, or whether it is still open. */
export function WaveState({ wave }: { wave: Judged }) {
  if (wave.verdict === 'fine') return <Pill tone="allow">fine</Pill>;
  if (wave.verdict === 'attack') return <Pill tone="block">attack</Pill>;
  if (wave.stopped) return <Pill tone="allow">stopped</Pill>;
  if (wave.state === 'open') return <Pill tone="challenge">in progress</Pill>;
  return <Pill tone="unknown">no verdict</Pill>;
}
