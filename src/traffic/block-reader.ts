import { blocksPerPage, type TrafficBlock, type TrafficStore } from './traffic-store.ts';

/** Reads every block of other processes once. */
export interface BlockReader {
  /** Reads the blocks that were written since the last call. */
  poll(apply: (block: TrafficBlock) => Promise<void>): Promise<void>;
}

/** On PostgreSQL a block can become visible after one with a higher number, by no more than a statement takes. */
const maxOvertakingMs = 30_000;

/** Begins after the block with a number; blocks of the named process are left out. */
export function createBlockReader(
  store: Pick<TrafficStore, 'after' | 'read'>,
  exceptProcess: string,
  monotonicMs: () => number,
  afterNo = 0,
): BlockReader {
  /** Every block up to this number has been read, and these after it. */
  let readThrough = afterNo;
  const readAfter = new Map<number, number>();
  return {
    async poll(apply) {
      const startedMs = monotonicMs();
      for (let numbers = await store.after(readThrough, exceptProcess); ; ) {
        for (const block of await store.read(numbers.filter((no) => !readAfter.has(no)))) {
          await apply(block);
          readAfter.set(block.no, startedMs);
        }
        if (numbers.length < blocksPerPage) break;
        numbers = await store.after(numbers.at(-1) ?? 0, exceptProcess);
      }
      for (const [no, readAtMs] of readAfter) {
        if (startedMs - readAtMs < maxOvertakingMs) continue;
        readThrough = Math.max(readThrough, no);
        readAfter.delete(no);
      }
    },
  };
}
