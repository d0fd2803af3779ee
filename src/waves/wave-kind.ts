/** What the addresses of a wave share, in the order in which each address counts for one. */
export const waveKinds = ['mailbox', 'device', 'domain', 'mail_server', 'network', 'shape', 'new_domains'] as const;
export type WaveKind = (typeof waveKinds)[number];
