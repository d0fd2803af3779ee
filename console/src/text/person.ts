import { counted, grouped } from './numbers.ts';

interface Entry {
  readonly action: 'allow' | 'block' | 'challenge';
  readonly gate: { readonly id: string };
  readonly input: { readonly email?: string };
  readonly outcome: 'good' | 'bad' | null;
}

/** A person's decisions in the log, in one sentence. */
export function personText(entries: readonly Entry[], hasMore: boolean): string {
  if (entries.length === 0) return 'The log has no decision about this address.';
  const count = (isWanted: (entry: Entry) => boolean) => entries.filter(isWanted).length;
  const spellings = new Set(entries.map(({ input }) => input.email)).size;
  const gates = new Set(entries.map(({ gate }) => gate.id)).size;
  const actions = [
    [count(({ action }) => action === 'allow'), 'allowed'],
    [count(({ action }) => action === 'challenge'), 'challenged'],
    [count(({ action }) => action === 'block'), 'blocked'],
    [count(({ outcome }) => outcome === 'good'), 'reported good'],
    [count(({ outcome }) => outcome === 'bad'), 'reported bad'],
  ] as const;
  const parts = actions.filter(([found]) => found > 0).map(([found, word]) => `${grouped(found)} ${word}`);
  const total = `${hasMore ? 'The newest ' : ''}${counted(entries.length, 'decision')}`;
  const spelt = spellings === 1 ? '' : ` about ${counted(spellings, 'spelling')} of the address`;
  return `${total} of ${counted(gates, 'gate')}${spelt}: ${parts.join(', ')}.`;
}
