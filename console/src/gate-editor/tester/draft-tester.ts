import { useState } from 'react';
import { type GateTrace, type TestSubject, useDraftTrace } from '../../api/gate.ts';
import type { GateRules } from '../gate.ts';
import { useDebounced } from './use-debounced.ts';

/** Traced while no subject is entered: only the problems of the rules are shown. */
const placeholder: TestSubject = { subject: 'example.com', ip: '' };

/** How long input must be idle before the service is called. */
const quietMs = 150;

/** A test of the draft, and its result. */
export interface DraftTest {
  readonly input: TestSubject;
  readonly setInput: (input: TestSubject) => void;
  /** Null without a subject. */
  readonly trace: GateTrace | null;
  /** The rules or the subject have changed since. */
  readonly isBehind: boolean;
  readonly error: unknown;
  /** The service was called too often and is called again later. */
  readonly isPaused: boolean;
  /** The problems of the rules by path, with or without a subject. */
  readonly problems: GateTrace['problems'];
  readonly patterns: GateTrace['regex_cost']['patterns'];
  /** A field's value for the subject; undefined without one. */
  readonly valueOf: (path: string) => unknown;
}

/** Traces the draft as it changes. */
export function useDraftTest(gateId: string, rules: GateRules): DraftTest {
  const [input, setInput] = useState<TestSubject>({ subject: '', ip: '' });
  const hasSubject = input.subject.trim() !== '';
  const serialised = useDebounced(
    JSON.stringify({
      rules,
      hasSubject,
      input: hasSubject ? { subject: input.subject.trim(), ip: input.ip.trim() } : placeholder,
    }),
    quietMs,
  );
  const debounced: { rules: GateRules; input: TestSubject; hasSubject: boolean } = JSON.parse(serialised);
  const query = useDraftTrace(gateId, debounced.input, debounced.rules);
  const { data, error, failureReason, isFetching, isPlaceholderData } = query;
  // While the first response is pending, the previous data is not about the subject.
  const isAboutPlaceholder = isPlaceholderData && data?.input.domain === placeholder.subject;
  const trace = hasSubject && debounced.hasSubject && data !== undefined && !isAboutPlaceholder ? data : null;
  return {
    input,
    setInput,
    trace,
    isBehind: isFetching || isPlaceholderData,
    error: hasSubject ? error : null,
    isPaused: isFetching && failureReason !== null,
    problems: data?.problems ?? {},
    patterns: data?.regex_cost.patterns ?? [],
    valueOf: (path) => (trace === null ? undefined : signalAt(trace.signals, path)),
  };
}

/** A value by its path; a `*` collects the values of a list. */
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
