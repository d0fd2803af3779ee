/** The value that a wave's addresses share; each address counts for the first kind in this order. */
export const waveKinds = ['mailbox', 'device', 'domain', 'mail_server', 'network', 'shape', 'new_domains'] as const;
export type WaveKind = (typeof waveKinds)[number];
