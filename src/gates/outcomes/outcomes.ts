import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import type { Owner } from '../../http/endpoint.ts';
import { timeOfId, ulidIn } from '../../ulid.ts';
import type { AddressKeys } from '../decisions/address-key.ts';
import { keysOf } from '../decisions/decision-entry.ts';
import type { DecisionRecorder } from '../decisions/decision-recorder.ts';
import type { DecisionsStore, LoggedRow } from '../decisions/decisions-store.ts';
import type { Outcome, OutcomeName } from '../decisions/outcome.ts';
import type { OutcomeRow, OutcomesStore } from '../decisions/outcomes-store.ts';
import { scanLog } from '../decisions/scan-log.ts';
import { allGates, type Gates } from '../gates.ts';
import { outcomeRow } from './group-outcomes.ts';
import type { ReportedOutcome } from './outcomes-input.ts';

/** The result of applying outcomes. */
export interface AppliedOutcomes {
  /** Items with at least one decision. */
  readonly matched: number;
  /** Decisions, each counted once. */
  readonly decisions: number;
  /** The indices of the other items. */
  readonly unmatched: readonly number[];
}

/** A decision by its gate and id. */
export interface DecisionName {
  readonly gateId: string;
  readonly decisionId: string;
}

/** Outcomes as clients report them. */
export interface Outcomes {
  /** Throws `decision_not_found` when the gate's log has no such decision. */
  set(gateId: string, decisionId: string, outcome: Outcome): Promise<void>;
  remove(gateId: string, decisionId: string): Promise<void>;
  /** Removes the outcomes of an owner's decisions; those of other gates are ignored. */
  removeMany(owner: Owner, decisions: readonly DecisionName[]): Promise<void>;
  /** Applies outcomes in one transaction; the last item about a decision wins. */
  apply(owner: Owner, reported: readonly ReportedOutcome[]): Promise<AppliedOutcomes>;
  /** Returns the result that `apply` would have; stores nothing. */
  preview(owner: Owner, reported: readonly ReportedOutcome[]): Promise<AppliedOutcomes>;
}

/** Dependencies for matching and storing outcomes. */
export interface OutcomesParts {
  readonly gates: Pick<Gates, 'list'>;
  readonly decisions: Pick<DecisionsStore, 'listOf'>;
  readonly store: Pick<OutcomesStore, 'write' | 'remove'>;
  readonly recorder: Pick<DecisionRecorder, 'tryFlush'>;
  readonly keys: AddressKeys;
  readonly now: () => number;
  /** Outcomes were stored. */
  readonly onStored: (outcome: OutcomeName, decisions: number) => void;
}

/** Another process writes a decision to the log within this time. */
const loggedWithinMs = 500;

export function createOutcomes(parts: OutcomesParts): Outcomes {
  const { gates, decisions, store, recorder, keys, onStored } = parts;
  const write = async (rows: readonly OutcomeRow[]): Promise<void> => {
    await store.write(rows);
    for (const [outcome, some] of Map.groupBy(rows, (row) => row.outcome)) onStored(outcome, some.length);
  };
  const gateIdsOf = async (owner: Owner): Promise<string[]> =>
    (await gates.list(owner, allGates, null)).map(({ id }) => id);
  const match = async (owner: Owner, reported: readonly ReportedOutcome[]) => {
    const gateIds = await gateIdsOf(owner);
    await recorder.tryFlush();
    const { ofId, ofKey } = indicesOf(reported, keys);
    const { apply, result } = createMatches(reported);
    for (const row of await findByIds(parts, gateIds, new Set(ofId.keys()))) apply(row, ofId.get(row.id));
    if (ofKey.size > 0) {
      const filter = { normalKeys: new Set(ofKey.keys()) };
      // Gate by gate: each gate's terms of a thousand addresses take a millisecond to look up.
      for (const gateId of gateIds) {
        for await (const row of scanLog(decisions, [gateId], filter)) apply(row, ofKey.get(keysOf(row).normal ?? ''));
      }
    }
    return result();
  };
  return {
    async set(gateId, decisionId, outcome) {
      await write([outcomeRow(await findOne(parts, gateId, decisionId), outcome)]);
    },
    async remove(gateId, decisionId) {
      await store.remove(gateId, [(await findOne(parts, gateId, decisionId)).id]);
    },
    async removeMany(owner, wanted) {
      const own = new Set(await gateIdsOf(owner));
      for (const [gateId, some] of Map.groupBy(wanted, (one) => one.gateId)) {
        if (!own.has(gateId)) continue;
        const ids = some.map(({ decisionId }) => decisionId);
        await store.remove(gateId, ids);
      }
    },
    async apply(owner, reported) {
      const { rows, result } = await match(owner, reported);
      await write(rows);
      return result;
    },
    preview: async (owner, reported) => (await match(owner, reported)).result,
  };
}

type LogParts = Pick<OutcomesParts, 'decisions' | 'now'>;

async function byIds({ decisions }: LogParts, gateIds: readonly string[], ids: ReadonlySet<string>) {
  const found: LoggedRow[] = [];
  if (ids.size > 0) for await (const row of scanLog(decisions, gateIds, { ids })) found.push(row);
  return found;
}

/** The logged decisions with these ids; waits for recent ones that another process may still write. */
async function findByIds(parts: LogParts, gateIds: readonly string[], ids: ReadonlySet<string>): Promise<LoggedRow[]> {
  const found = await byIds(parts, gateIds, ids);
  const isRecent = (id: string): boolean => Math.abs(parts.now() - timeOfId(id)) < loggedWithinMs;
  const missing = new Set([...ids.difference(new Set(found.map(({ id }) => id)))].filter(isRecent));
  if (missing.size === 0) return found;
  await sleep(loggedWithinMs);
  return [...found, ...(await byIds(parts, gateIds, missing))];
}

async function findOne(parts: OutcomesParts, gateId: string, decisionId: string): Promise<LoggedRow> {
  const id = ulidIn(decisionId);
  await parts.recorder.tryFlush();
  const [row] = id === null ? [] : await findByIds(parts, [gateId], new Set([id]));
  if (row === undefined) throw new AppError('decision_not_found');
  return row;
}

/** Collects the decisions that reported items are about. */
function createMatches(reported: readonly ReportedOutcome[]) {
  const found = new Map<string, OutcomeRow>();
  const matched = new Set<readonly number[]>();
  /** The last item about each decision. */
  const positions = new Map<string, number>();
  return {
    // A thousand items may be about one address with thousands of decisions: each decision costs one step, not one per item.
    apply(row: LoggedRow, indices: readonly number[] | undefined): void {
      const last = indices?.at(-1) ?? -1;
      const item = reported[last];
      if (indices === undefined || item === undefined) return;
      matched.add(indices);
      if (last < (positions.get(row.id) ?? -1)) return;
      positions.set(row.id, last);
      found.set(row.id, outcomeRow(row, item));
    },
    result() {
      const indices = new Set([...matched].flat());
      const unmatched = [...reported.keys()].filter((index) => !indices.has(index));
      return { rows: [...found.values()], result: { matched: indices.size, decisions: found.size, unmatched } };
    },
  };
}

/** The indices of the items about each decision, and about each address in every form under which the log may have it. */
function indicesOf(reported: readonly ReportedOutcome[], keys: AddressKeys) {
  const ofId = new Map<string, number[]>();
  const ofKey = new Map<string, number[]>();
  const add = (into: Map<string, number[]>, key: string, index: number): void => {
    const indices = into.get(key);
    if (indices === undefined) into.set(key, [index]);
    else indices.push(index);
  };
  for (const [index, { about }] of reported.entries()) {
    if ('address' in about) {
      for (const key of keys.allTexts(about.address)) add(ofKey, key, index);
      continue;
    }
    const id = ulidIn(about.decisionId);
    if (id !== null) add(ofId, id, index);
  }
  return { ofId, ofKey };
}
