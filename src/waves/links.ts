import type { WaveKind } from './wave-kind.ts';

/** A value of a kind as text: it links decisions to an attack, and names silenced values. */
export const linkOf = (kind: WaveKind, key: number | ''): string => `${kind}:${key}`;
