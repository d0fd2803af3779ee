import { joined, someOf } from './evidence.ts';
import { counted, grouped } from './numbers.ts';
import { sourceName } from './sources.ts';

interface Result {
  readonly source: string;
  readonly result: 'updated' | 'unchanged' | 'refused' | 'failed';
  readonly added: number | null;
  readonly removed: number | null;
}

/** The result of a whole refresh in one sentence. */
export function refreshSentence(results: readonly Result[]): string {
  if (results.length === 0) return 'No source is enabled.';
  const part = (kinds: readonly Result['result'][], what: string, more: (some: readonly Result[]) => string) => {
    const some = results.filter(({ result }) => kinds.includes(result));
    if (some.length === 0) return [];
    return [`${some.length} ${some.length === 1 ? 'was' : 'were'} ${what}${more(some)}`];
  };
  const parts = [
    ...part(['updated'], 'updated', changesOf),
    ...part(['unchanged'], 'current', () => ''),
    ...part(
      ['refused', 'failed'],
      'not updated',
      (some) => ` (${someOf(some.map(({ source }) => sourceName(source)))})`,
    ),
  ];
  return `Of ${counted(results.length, 'source')}, ${joined(parts)}.`;
}

/** The changes of updated sources; nothing where an earlier edition is unknown. */
function changesOf(updated: readonly Result[]): string {
  let [added, removed] = [0, 0];
  for (const one of updated) {
    if (one.added === null || one.removed === null) return '';
    added += one.added;
    removed += one.removed;
  }
  return ` (${grouped(added)} entries added, ${grouped(removed)} removed)`;
}
