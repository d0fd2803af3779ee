import type { Owner } from '../http/endpoint.ts';
import { scopeOf } from '../owner-scope.ts';
import { runLowPriority } from '../platform/low-priority.ts';
import { mapMaybePromise } from '../platform/map-maybe-promise.ts';
import { createYielder } from '../platform/yielding.ts';
import { type CustomListSource, loadLists } from './custom-lists.ts';
import type { Gate } from './gate.ts';
import type { GatesStore } from './gates-store.ts';
import { noBudget, type RegexBudget } from './regex/regex-budget.ts';
import { compileGateInTurns, type Evaluate } from './rules/evaluate.ts';
import { usesTraffic } from './rules/fields.ts';
import type { ListHandle } from './rules/list-condition.ts';
import type { Rule } from './rules/rule.ts';

/** A compiled gate: a consistent snapshot of its rules. */
export interface CompiledGate {
  readonly id: string;
  /** The revision it was compiled from. */
  readonly revision: number;
  /** Every decision waits for these slow facts. */
  readonly wait: ReadonlySet<string>;
  readonly decide: Evaluate<Rule>;
  /** Its decisions show traffic. */
  readonly showsTraffic: boolean;
  /** The custom lists of its rules; `find` has them in memory. */
  readonly lists: readonly ListHandle[];
}

/** Compiled gates, kept until they change. */
export interface GateCache {
  /** Null when the owner has no such gate. Without a promise when it is in memory. */
  find(owner: Owner, gateId: string): CompiledGate | null | Promise<CompiledGate | null>;
  /** This process changed a gate of the owner; the change is committed. */
  changedHere(owner: Owner): void;
  /** Some process changed a gate of the owner with this scope. */
  changed(scope: string): void;
  /** Any gate may have changed. */
  changedAll(): void;
  /** How many gates are in memory. */
  size(): number;
}

interface KeptGate {
  readonly owner: Owner;
  readonly gate: CompiledGate;
  readonly size: number;
  /** The gate's revision and times when it was compiled. */
  readonly state: string;
  /** A gate of its owner has changed since it was read; it must be read again to know whether it was this one. */
  isDoubtful: boolean;
}

/** Total characters of conditions in the cache; a gate of a dozen rules has about 2,000. */
const defaultMaxSize = 50_000_000;
/** The cost of a gate besides its conditions; `regex-programs.ts` bounds its regular expressions. */
const gateOverhead = 2_000;

export interface GateCacheOptions {
  readonly monotonicMs: () => number;
  readonly lists?: CustomListSource;
  readonly regexBudget?: RegexBudget;
  readonly maxSize?: number;
}

/**
 * Caches compiled gates and evicts the least recently loaded first. A gate that is read while something changes is read again, and
 * a caller after the change does not get the older reading. A change is announced by owner, to its own process too: a gate
 * that is read again and is still the same is not compiled again.
 */
export function createGateCache(
  store: Pick<GatesStore, 'find'>,
  { monotonicMs, lists = noSource, regexBudget = noBudget, maxSize = defaultMaxSize }: GateCacheOptions,
): GateCache {
  const entries = new Map<string, KeptGate>();
  const reading = new Map<string, Promise<CompiledGate | null>>();
  let generation = 0;
  let size = 0;

  const forget = (id: string, entry: KeptGate): void => {
    entries.delete(id);
    size -= entry.size;
  };
  const keep = (entry: KeptGate): void => {
    const { id } = entry.gate;
    const older = entries.get(id);
    if (older !== undefined) forget(id, older);
    entries.set(id, entry);
    size += entry.size;
    for (const [oldest, old] of entries) {
      if (size <= maxSize || old === entry) break;
      forget(oldest, old);
    }
  };
  const compile = async (owner: Owner, gate: Gate): Promise<CompiledGate> => {
    const enabled = gate.rules.filter((rule) => rule.enabled);
    const handles = await loadLists(lists, owner, enabled);
    // The values of a large gate take long to compile: other accounts' requests come first.
    const { accountId } = owner;
    const decide = await runLowPriority({ accountId }, () =>
      compileGateInTurns(gate, regexBudget, createYielder(monotonicMs), handles),
    );
    const { id, revision, rules } = gate;
    const wait = new Set(gate.wait);
    return { id, revision, wait, decide, showsTraffic: usesTraffic(rules), lists: [...handles.values()] };
  };
  const read = async (owner: Owner, gateId: string): Promise<CompiledGate | null> => {
    const began = generation;
    const gate = await store.find(owner, gateId);
    const older = entries.get(gateId);
    if (gate === null) {
      if (older !== undefined && isSame(older.owner, owner)) forget(gateId, older);
      return null;
    }
    const state = stateOf(gate);
    const compiled = older?.state === state && isSame(older.owner, owner) ? older.gate : await compile(owner, gate);
    const isDoubtful = began !== generation;
    // A read that began later may have finished earlier.
    const isWanted = !isDoubtful || (entries.get(gateId)?.isDoubtful ?? true);
    if (isWanted) keep({ owner, gate: compiled, size: sizeOf(gate), state, isDoubtful });
    await lists.load(compiled.lists);
    return compiled;
  };
  const changed = (scope: string): void => {
    generation += 1;
    reading.clear();
    for (const entry of entries.values()) if (scopeOf(entry.owner) === scope) entry.isDoubtful = true;
  };
  return {
    find(owner, gateId) {
      const entry = entries.get(gateId);
      if (entry !== undefined && !entry.isDoubtful && isSame(entry.owner, owner)) {
        const { gate } = entry;
        // Most gates use no list.
        return gate.lists.length === 0 ? gate : mapMaybePromise(lists.load(gate.lists), () => gate);
      }
      const key = `${scopeOf(owner)}/${gateId}`;
      const inProgress = reading.get(key);
      if (inProgress !== undefined) return inProgress;
      const fresh = read(owner, gateId).finally(() => {
        if (reading.get(key) === fresh) reading.delete(key);
      });
      reading.set(key, fresh);
      return fresh;
    },
    changedHere: (owner) => changed(scopeOf(owner)),
    changed,
    changedAll() {
      generation += 1;
      reading.clear();
      entries.clear();
      size = 0;
    },
    size: () => entries.size,
  };
}

const noSource: CustomListSource = { handles: () => [], load: () => null };

function isSame(one: Owner, other: Owner): boolean {
  return one.accountId === other.accountId && one.environment === other.environment;
}

/** An import can reuse the id of a deleted gate: the times distinguish the two. */
function stateOf({ revision, createdAtMs, updatedAtMs }: Gate): string {
  return `${revision}/${createdAtMs}/${updatedAtMs}`;
}

function sizeOf(gate: Gate): number {
  return gate.rules.reduce((sum, { conditions }) => sum + JSON.stringify(conditions).length, gateOverhead);
}
