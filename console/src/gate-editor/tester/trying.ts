import { useState } from 'react';
import { type GateTrace, type Tried, useDraftTrace } from '../../api/gate.ts';
import type { GateRules } from '../gate.ts';
import { useSettled } from './use-settled.ts';

/** What is traced while nothing is typed: only what the service objects to is shown of it. */
const nobody: Tried = { subject: 'example.com', ip: '' };

/** How long typing must rest before the service is asked. */
const quietMs = 150;

/** What somebody tries on the draft, and what comes of it. */
export interface Trying {
  readonly tried: Tried;
  readonly setTried: (tried: Tried) => void;
  /** Null while nothing is tried. */
  readonly trace: GateTrace | null;
  /** The rules or what was typed have changed since. */
  readonly isBehind: boolean;
  readonly error: unknown;
  /** What the service objects to, by path, whether or not something is tried. */
  readonly problems: GateTrace['problems'];
  readonly patterns: GateTrace['regex_cost']['patterns'];
  /** What a field is for what is tried; undefined while nothing is. */
  readonly valueOf: (path: string) => unknown;
}

/** Traces the draft as it changes. */
export function useTrying(gateId: string, rules: GateRules): Trying {
  const [tried, setTried] = useState<Tried>({ subject: '', ip: '' });
  const isTrying = tried.subject.trim() !== '';
  const asked = useSettled(
    JSON.stringify({
      rules,
      isTrying,
      tried: isTrying ? { subject: tried.subject.trim(), ip: tried.ip.trim() } : nobody,
    }),
    quietMs,
  );
  const settled: { rules: GateRules; tried: Tried; isTrying: boolean } = JSON.parse(asked);
  const { data, error, isFetching, isPlaceholderData } = useDraftTrace(gateId, settled.tried, settled.rules);
  // What is kept while the first answer is on its way is about nobody.
  const isAboutNobody = isPlaceholderData && data?.input.domain === nobody.subject;
  const trace = isTrying && settled.isTrying && data !== undefined && !isAboutNobody ? data : null;
  return {
    tried,
    setTried,
    trace,
    isBehind: isFetching || isPlaceholderData,
    error: isTrying ? error : null,
    problems: data?.problems ?? {},
    patterns: data?.regex_cost.patterns ?? [],
    valueOf: (path) => (trace === null ? undefined : signalAt(trace.signals, path)),
  };
}

/** A value by its path; a `*` gathers those of a list. */
export function signalAt(signals: unknown, path: string): unknown {
  let found: unknown = signals;
  const parts = path.split('.');
  for (const [place, part] of parts.entries()) {
    if (part === '*') {
      const rest = parts.slice(place + 1).join('.');
      return Array.isArray(found) ? found.map((one) => (rest === '' ? one : signalAt(one, rest))) : null;
    }
    if (typeof found !== 'object' || found === null) return null;
    found = Reflect.get(found, part);
  }
  return found ?? null;
}
