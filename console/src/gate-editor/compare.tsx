import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { useEnvironment } from '../api/environment.ts';
import { type Revision, revisionQuery, type WholeRevision } from '../api/gate.ts';
import { dayAndTime } from '../text/times.ts';
import { Card } from '../ui/card.tsx';
import { Field, Select } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import styles from './compare.module.css';
import { draftOf } from './draft.ts';
import type { Catalogue } from './gate.ts';
import { DifferenceList } from './review/difference-list.tsx';
import { type Difference, differences, textChange } from './review/differences.ts';
import { rulesOf } from './use-draft.ts';

/** Two revisions of a gate; the URL holds which, at first the last change. */
export function useCompared(gateId: string, newestFirst: readonly Revision[]) {
  const environment = useEnvironment();
  const [parameters] = useSearchParams();
  const numbers = newestFirst.map(({ revision }) => revision);
  const chosen = (name: string, fallback = 0) => {
    const number = Number(parameters.get(name));
    return numbers.includes(number) ? number : fallback;
  };
  const [to, from] = [chosen('to', numbers[0]), chosen('from', numbers[1])];
  const query = (revision: number) => ({
    ...revisionQuery(environment, gateId, revision),
    enabled: numbers.length > 1,
    placeholderData: keepPreviousData,
  });
  const [earlier, later] = [useQuery(query(from)), useQuery(query(to))];
  return {
    from,
    to,
    earlier: earlier.data,
    later: later.data,
    error: earlier.error ?? later.error,
    isPending: numbers.length > 1 && (earlier.isPending || later.isPending),
  };
}

interface Properties {
  readonly compared: ReturnType<typeof useCompared>;
  /** Newest first. */
  readonly revisions: readonly Revision[];
  readonly catalogue: Catalogue;
}

/** The differences between two revisions in words. */
export function Compare({ compared: { from, to, earlier, later, error }, revisions, catalogue }: Properties) {
  const [, setParameters] = useSearchParams();
  const choose = (name: 'from' | 'to', value: string) =>
    setParameters({ from: String(from), to: String(to), [name]: value }, { replace: true });
  const choice = (label: string, name: 'from' | 'to', value: number) => (
    <Field label={label}>
      <Select value={value} onChange={({ target }) => choose(name, target.value)}>
        {revisions.map(({ revision, changed_at }) => (
          <option key={revision} value={revision}>
            {`Revision ${revision}, ${dayAndTime(changed_at)}`}
          </option>
        ))}
      </Select>
    </Field>
  );
  return (
    <Card title="Compare two revisions">
      <div className={styles.compare}>
        <div className={styles.choices}>
          {choice('From', 'from', from)}
          {choice('To', 'to', to)}
        </div>
        {error && <Problem error={error} what="The revision" />}
        {earlier && later && <DifferenceList differences={revisionDifferences(earlier, later, catalogue)} />}
      </div>
    </Card>
  );
}

function revisionDifferences(before: WholeRevision, after: WholeRevision, catalogue: Catalogue): Difference[] {
  const rules = (revision: WholeRevision) => draftOf(revision.revision, rulesOf(revision)).base;
  const waits = ({ wait }: WholeRevision) => (wait.length === 0 ? null : wait.join(', '));
  const gate = [
    ...textChange('The name', before.name, after.name),
    ...textChange('The description', before.description, after.description),
    ...textChange('What a decision waits for', waits(before), waits(after)),
  ];
  return [
    ...gate.map((text) => ({ kind: 'changed' as const, text })),
    ...differences(rules(before), rules(after), catalogue),
  ];
}
