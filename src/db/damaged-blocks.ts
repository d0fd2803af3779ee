import { isIntactBlock } from '../platform/block-codec.ts';
import { boundedMap } from '../platform/bounded-map.ts';

/** Tables of blocks that are skipped when they are damaged. */
export type CheckedTable = 'decision_segments' | 'seen_blocks' | 'traffic_blocks' | 'traffic_hours' | 'wave_members';

/** A block that could not be read. */
export interface DamagedBlock {
  readonly table: CheckedTable;
  /** Its number, or another name of its row. */
  readonly name: number | string;
}

/** Blocks whose bytes are not as they were written: reading skips them, because none is worth stopping the service for. */
export interface DamagedBlocks {
  /** Whether the bytes of a block are as they were written; one that is not is reported, once. */
  check(block: DamagedBlock, body: Uint8Array, isIntact?: (body: Uint8Array) => boolean): boolean;
  has(block: DamagedBlock): boolean;
  /** How many damaged blocks of each table this process has met. */
  counts(): Readonly<Record<string, number>>;
  /** Calls back with each damaged block, those met before included. */
  report(to: (block: DamagedBlock) => void): void;
}

const maxRemembered = 10_000;

export function createDamagedBlocks(): DamagedBlocks {
  const met = boundedMap<string, DamagedBlock>(maxRemembered);
  const counts: Record<string, number> = {};
  let notify: (block: DamagedBlock) => void = () => {};
  const keyOf = ({ table, name }: DamagedBlock): string => `${table} ${name}`;
  return {
    check(block, body, isIntact = isIntactBlock) {
      if (isIntact(body)) return true;
      if (met.get(keyOf(block)) !== undefined) return false;
      met.set(keyOf(block), block);
      counts[block.table] = (counts[block.table] ?? 0) + 1;
      notify(block);
      return false;
    },
    has: (block) => met.get(keyOf(block)) !== undefined,
    counts: () => counts,
    report(to) {
      notify = to;
      for (const [, block] of met.entries()) to(block);
    },
  };
}

const effects: Readonly<Record<CheckedTable, string>> = {
  decision_segments:
    'up to 1,000 log entries are missing from searches, exports and backtests. Restore a backup to have them again, or leave the block until it expires',
  seen_blocks:
    'some domains that accounts saw on one day are unknown, so that no webhook reports it when one of them is flagged. The block expires by itself',
  traffic_blocks: 'traffic counts of the last day are too low. The block expires within a day',
  traffic_hours: 'the usual rate of one hour is unknown to the detection of waves. The block expires within days',
  wave_members: 'decisions of a wave are missing from its page and its counts. The block expires with the wave',
};

/** The effect of a damaged block and its remedy, for operators. */
export function damageText({ table, name }: DamagedBlock): string {
  return `block ${name} of ${table} is damaged and was skipped: ${effects[table]}. Check the disk, as the database is changed by nothing else`;
}
