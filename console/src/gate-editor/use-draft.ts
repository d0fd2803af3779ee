import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { WholeRevision } from '../api/gate.ts';
import { type Draft, draftOf } from './draft.ts';
import type { GateRules } from './gate.ts';

/** Drafts outlive their page: visiting the log, or signing in again, keeps them. */
const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

function keep(name: string, draft: Draft | null): void {
  if (draft === null) drafts.delete(name);
  else drafts.set(name, draft);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const isTouched = (draft: Draft | undefined): draft is Draft => draft !== undefined && draft.now !== draft.base;

/** The part of a revision that a draft edits. */
export const rulesOf = ({ default_action, rules }: WholeRevision): GateRules => ({
  defaultAction: default_action,
  rules,
});

/** The draft of a gate: the local changes, or the saved state without any. */
export function useDraft(name: string, current: WholeRevision) {
  const stored = useSyncExternalStore(subscribe, () => drafts.get(name));
  const fresh = useMemo(() => draftOf(current.revision, rulesOf(current)), [current]);
  const draft = isTouched(stored) ? stored : fresh;
  useEffect(() => {
    if (!isTouched(stored)) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [stored]);
  return {
    draft,
    change: (next: (draft: Draft) => Draft) => keep(name, next(drafts.get(name) ?? draft)),
    forget: () => keep(name, null),
  };
}
