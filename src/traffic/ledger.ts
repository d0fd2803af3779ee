/** The memory of all partitions, and the number of evictions that kept it within its limit. */
export interface Ledger {
  readonly limitBytes: number;
  readonly partitions: number;
  tableBytes: number;
  largeBytes: number;
  /** The bytes of large sets by the group of their owner. */
  readonly largeBytesBy: Float64Array;
  keys: number;
  evicted: number;
}
