import type { RE2JS } from 're2js';
import { automatonBytesOf, boundAutomaton, instructionsOf } from './re2js-internals.ts';
import { regexEngine } from './regex-engine.ts';
import { expandWideRanges } from './wide-ranges.ts';

/** The most memory for all compiled patterns of the process; uncollected garbage adds several times as much. */
const maxProgramBytes = 60_000_000;

/** The maximum size of the automaton that the engine builds while it matches; its own limit is 8 MB a pattern. */
const automatonBytes = 256 * 1024;

/** Whether a text matches. */
type Test = (text: string) => boolean;

/** A cache of compiled patterns. It evicts the costliest first; an evicted pattern is compiled again when it is used. */
export interface RegexPrograms {
  /** Throws the engine's error for a pattern that it rejects. */
  compile(pattern: string): Test;
  /** As `compile`, at the first test. */
  later(pattern: string): Test;
  /** Approximate memory of the patterns. */
  bytes(): number;
  has(pattern: string): boolean;
}

interface Entry {
  readonly engine: RE2JS;
  readonly programBytes: number;
  /** The program and, as it grows while it matches, the automaton. */
  bytes: number;
}

/** Makes an empty cache that holds about so many bytes. */
export function createRegexPrograms(maxBytes = maxProgramBytes): RegexPrograms {
  const entries = new Map<string, Entry>();
  let total = 0;

  const evict = (): void => {
    const costliestFirst = [...entries].sort(([, one], [, other]) => other.bytes - one.bytes);
    for (const [pattern, { bytes }] of costliestFirst) {
      // Frees more than necessary, so that not every new pattern sorts all others.
      if (total <= 0.8 * maxBytes) return;
      entries.delete(pattern);
      total -= bytes;
    }
  };
  const weigh = (pattern: string, entry: Entry): void => {
    const bytes = entry.programBytes + automatonFactor * (automatonBytesOf(entry.engine, automatonBytes) ?? 0);
    // An evicted pattern may be in use.
    if (bytes === entry.bytes || entries.get(pattern) !== entry) return;
    total += bytes - entry.bytes;
    entry.bytes = bytes;
    if (total > maxBytes) evict();
  };
  const entryOf = (pattern: string): Entry => {
    const known = entries.get(pattern);
    if (known !== undefined) return known;
    const engine = compiled(pattern);
    const entry = { engine, programBytes: programBytesOf(engine), bytes: 0 };
    entries.set(pattern, entry);
    weigh(pattern, entry);
    return entry;
  };
  const later =
    (pattern: string): Test =>
    (text) => {
      const entry = entryOf(pattern);
      const isMatch = entry.engine.test(text);
      weigh(pattern, entry);
      return isMatch;
    };
  return {
    compile(pattern) {
      entryOf(pattern);
      return later(pattern);
    },
    later,
    bytes: () => total,
    has: (pattern) => entries.has(pattern),
  };
}

/** Measured memory of objects, keys and the parsed pattern. */
const entryBytes = 2_500;
const instructionBytes = 100;
const runeBytes = 16;
/** The engine counts about half of the memory that its automaton takes. */
const automatonFactor = 2;

function programBytesOf(engine: RE2JS): number {
  const instructions = instructionsOf(engine);
  if (instructions === null) return entryBytes + engine.pattern().length * instructionBytes;
  const runes = instructions.reduce((sum, instruction) => sum + (instruction.runes?.length ?? 0), 0);
  return entryBytes + instructions.length * instructionBytes + runes * runeBytes;
}

function compiled(pattern: string): RE2JS {
  const { RE2JS } = regexEngine();
  const engine = RE2JS.compile(expandWideRanges(pattern), RE2JS.CASE_INSENSITIVE);
  boundAutomaton(engine, automatonBytes);
  return engine;
}
