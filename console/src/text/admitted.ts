import { grouped } from './numbers.ts';

interface Change {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly good: number;
  readonly bad: number;
}

interface Tested {
  readonly evaluated: number;
  readonly complete: boolean;
  readonly changes: readonly Change[];
}

/** The sign-ups that a change would have admitted; `stillDecided` is the action that the subject would still get. */
export function admittedText({ evaluated, complete, changes }: Tested, stillDecided: string | null): string {
  if (stillDecided !== null) return `Not enough: another rule would still ${stillDecided} them.`;
  const admitted = changes.filter(({ from, to }) => from !== 'allow' && to === 'allow');
  const count = admitted.reduce((sum, change) => sum + change.count, 0);
  const bad = admitted.reduce((sum, change) => sum + change.bad, 0);
  const span = `${complete ? '' : 'the newest '}${grouped(evaluated)} decisions`;
  if (count === 0) return `Would have allowed no more of ${span}.`;
  const known = bad === 0 ? '' : `, ${grouped(bad)} of them known to be bad`;
  return `Would have allowed ${grouped(count)} more of ${span}${known}.`;
}
