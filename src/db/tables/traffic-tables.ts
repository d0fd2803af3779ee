import type { Generated } from 'kysely';

/** Observations of one process, as keyed hashes, compressed: the decisions to count, or the subjects erased from the counts. */
export interface TrafficBlocksTable {
  no: Generated<number>;
  /** The process that wrote it. */
  process: string;
  kind: 'counts' | 'address' | 'domain' | 'ip' | 'device';
  created_at: number;
  body: Uint8Array;
}
