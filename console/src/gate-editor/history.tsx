import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { useEnvironment } from '../api/environment.ts';
import { type Revision, revisionQuery, useRevisions } from '../api/gate.ts';
import { joined } from '../text/evidence.ts';
import { counted } from '../text/numbers.ts';
import { whatToDo } from '../text/problems.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Problem } from '../ui/problem.tsx';
import { Loading } from '../ui/skeleton.tsx';
import { Table } from '../ui/table.tsx';
import { Ago } from '../ui/time.tsx';
import { problemToast } from '../ui/toast.tsx';
import { authorName } from './author.ts';
import { Compare, useCompared } from './compare.tsx';
import type { Catalogue, GateRules } from './gate.ts';
import { rulesOf } from './use-draft.ts';

interface Properties {
  readonly gateId: string;
  readonly currentRevision: number;
  readonly catalogue: Catalogue;
  /** Makes an earlier state the draft, and opens the review. */
  readonly onRestore: (earlier: GateRules) => void;
}

/** The changes with their authors, newest first; a restored revision goes through the same review as any change. */
export function History({ gateId, currentRevision, catalogue, onRestore }: Properties) {
  const environment = useEnvironment();
  const queries = useQueryClient();
  const revisions = useRevisions(gateId);
  const compared = useCompared(gateId, revisions.data ?? []);
  const [fetching, setFetching] = useState<number | null>(null);
  const restore = async ({ revision }: Revision) => {
    setFetching(revision);
    try {
      onRestore(rulesOf(await queries.fetchQuery(revisionQuery(environment, gateId, revision))));
    } catch (error) {
      problemToast(`Revision ${revision} could not be loaded. ${whatToDo(error)}`);
    } finally {
      setFetching(null);
    }
  };
  if (revisions.error) {
    return <Problem error={revisions.error} what="The history" onRetry={() => void revisions.refetch()} />;
  }
  // Shown together: late differences would move the table.
  if (!revisions.data || compared.isPending)
    return (
      <Card flush>
        <Loading what="The history" lines={6} />
      </Card>
    );
  const earlier = new Map(revisions.data.map(({ revision }, index, all) => [revision, all[index + 1]?.revision]));
  return (
    <>
      {revisions.data.length > 1 && <Compare compared={compared} revisions={revisions.data} catalogue={catalogue} />}
      <Card flush>
        <Table
          label="Revisions"
          rows={revisions.data}
          keyOf={({ revision }) => String(revision)}
          columns={[
            { title: 'Revision', isNumber: true, cell: ({ revision }) => revision },
            {
              title: 'What',
              isWide: true,
              cell: (revision) => {
                const from = earlier.get(revision.revision);
                const text = changeText(revision);
                return from === undefined ? text : <Link href={`?from=${from}&to=${revision.revision}`}>{text}</Link>;
              },
            },
            { title: 'Who', priority: 2, cell: ({ changed_by }) => authorName(changed_by) },
            { title: 'When', cell: ({ changed_at }) => <Ago at={changed_at} /> },
            {
              title: 'Restore',
              hideTitle: true,
              buttons: 'words',
              cell: (revision) =>
                revision.revision === currentRevision ? (
                  'current'
                ) : (
                  <Button
                    kind="quiet"
                    icon="undo"
                    busy={fetching === revision.revision}
                    aria-label={`Restore revision ${revision.revision}`}
                    onClick={() => void restore(revision)}
                  >
                    Restore…
                  </Button>
                ),
            },
          ]}
        />
      </Card>
    </>
  );
}

function changeText({ changes, rules_count, revision }: Revision): string {
  const parts = wordsOf(changes);
  const text = joined(parts);
  if (text !== '') return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  return revision === 1 ? `Created with ${counted(rules_count, 'rule')}.` : 'Saved.';
}

function wordsOf({ fields, rules_added, rules_removed, rules_changed, rules_ordered }: Revision['changes']): string[] {
  const names = (rules: readonly { readonly name: string }[]) => joined(rules.map(({ name }) => `“${name}”`));
  return [
    rules_added?.length ? `added ${names(rules_added)}` : '',
    rules_removed?.length ? `removed ${names(rules_removed)}` : '',
    rules_changed?.length ? `changed ${names(rules_changed)}` : '',
    rules_ordered?.length ? 'moved rules' : '',
    fields?.length ? `changed the gate’s ${joined(fields.map((field) => field.replaceAll('_', ' ')))}` : '',
  ].filter((part) => part !== '');
}
