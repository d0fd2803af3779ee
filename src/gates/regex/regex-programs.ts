import type { RE2JS } from 're2js';
import { weightedMap } from '../../platform/weighted-map.ts';
import { regexEffort } from './regex-cost.ts';
import { regexEngine } from './regex-engine.ts';
import { expandWideRanges } from './wide-ranges.ts';

/** What patterns may weigh together in memory; a character weighs one, some 80 bytes, a Unicode class 70. */
const maxWeight = 600_000;
/** What the smallest pattern weighs. */
const leastWeight = 60;

/** What the engine may keep of the automaton it builds while it matches; its own limit is 8 MB a pattern. */
const automatonBytes = 256 * 1024;

/** Whether a text matches. */
type Test = (text: string) => boolean;

/** A cache of compiled patterns. It evicts the oldest first; an evicted pattern is compiled again when it is used. */
export interface RegexPrograms {
  /** Throws what the engine says of a pattern that it refuses. */
  compile(pattern: string): Test;
  /** As `compile`, when the test is first asked. */
  later(pattern: string): Test;
}

/** Makes an empty store. */
export function createRegexPrograms(weightLimit = maxWeight): RegexPrograms {
  const engines = weightedMap<string, RE2JS>(weightLimit / leastWeight, weightLimit);
  const engineOf = (pattern: string): RE2JS => {
    const known = engines.get(pattern);
    if (known !== undefined) return known;
    const engine = compiled(pattern);
    engines.set(pattern, engine, Math.max(leastWeight, regexEffort(pattern)));
    return engine;
  };
  const later =
    (pattern: string): Test =>
    (text) =>
      engineOf(pattern).test(text);
  return {
    compile(pattern) {
      engineOf(pattern);
      return later(pattern);
    },
    later,
  };
}

function compiled(pattern: string): RE2JS {
  const { RE2JS } = regexEngine();
  const engine = RE2JS.compile(expandWideRanges(pattern), RE2JS.CASE_INSENSITIVE);
  boundAutomaton(engine);
  return engine;
}

/**
 * A pattern whose automaton outgrows its memory would rebuild it on every text, at many times the cost of simulating the
 * program. So the automaton is dropped the first time, and the engine continues without it, still in linear time.
 */
function boundAutomaton(engine: RE2JS): void {
  const automaton = engine.re2().dfa;
  automaton.maxMem = automatonBytes;
  automaton.stateBudget = automatonBytes;
  automaton.memBudget = automatonBytes;
  automaton.resetCache = () => {
    automaton.failed = true;
    automaton.clearCache();
    return null;
  };
}
