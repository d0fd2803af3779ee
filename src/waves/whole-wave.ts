import type { Owner } from '../http/endpoint.ts';
import type { WholeWave } from './wave-body.ts';
import type { Drafts } from './wave-draft.ts';
import type { Waves } from './waves.ts';

/** Reads a wave with a description of its value, some of its decisions and the rule against it. */
export async function readWholeWave(
  waves: Pick<Waves, 'read' | 'evidence' | 'samples'>,
  drafts: Pick<Drafts, 'of'>,
  owner: Owner,
  id: string,
): Promise<WholeWave> {
  const wave = await waves.read(owner, id);
  const evidence = await waves.evidence(wave);
  const { rule, entry } = await drafts.of(wave, evidence);
  const { about, stops } = evidence;
  return { ...wave, about, stops, decisions: await waves.samples(wave), rule, entry };
}
