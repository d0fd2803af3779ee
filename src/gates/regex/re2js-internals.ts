import type { RE2JS } from 're2js';

/**
 * The only reliance on undocumented parts of re2js. The tests of this file hold for the pinned version; where another one has
 * other parts, these functions return null: memory is then estimated, and the engine's own limits apply.
 */

/** An instruction of a compiled pattern; `runes` are the characters it matches, as pairs of first and last. */
export interface Instruction {
  readonly runes?: ArrayLike<number> | null;
}

/** The automaton that the engine builds while it matches. */
interface Automaton {
  maxMem: number;
  stateBudget: number;
  memBudget: number;
  failed: boolean;
  resetCache: () => unknown;
  clearCache: () => void;
}

/** The instructions of a compiled pattern. */
export function instructionsOf(engine: RE2JS): readonly Instruction[] | null {
  const instructions: unknown = engine.re2().prog?.inst;
  return Array.isArray(instructions) ? instructions : null;
}

/** The bytes that the engine counts of a pattern's automaton, which was bounded to `maxBytes`. */
export function automatonBytesOf(engine: RE2JS, maxBytes: number): number | null {
  const automaton = automatonOf(engine);
  return automaton && maxBytes - automaton.memBudget;
}

/**
 * Bounds the memory of a pattern's automaton. One that outgrows it would be rebuilt on every text, at many times the cost of
 * simulating the program. So the automaton is dropped the first time, and the engine continues without it, still in linear time.
 */
export function boundAutomaton(engine: RE2JS, maxBytes: number): void {
  const automaton = automatonOf(engine);
  if (automaton === null) return;
  automaton.maxMem = maxBytes;
  automaton.stateBudget = maxBytes;
  automaton.memBudget = maxBytes;
  automaton.resetCache = () => {
    automaton.failed = true;
    automaton.clearCache();
    return null;
  };
}

function automatonOf(engine: RE2JS): Automaton | null {
  const { dfa } = engine.re2() as unknown as { dfa?: Partial<Automaton> };
  const isKnown =
    typeof dfa?.memBudget === 'number' && typeof dfa.resetCache === 'function' && typeof dfa.clearCache === 'function';
  return isKnown ? (dfa as Automaton) : null;
}
