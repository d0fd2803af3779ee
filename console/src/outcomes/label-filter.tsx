import { useState } from 'react';
import type { LogFilters } from '../api/log.ts';
import type { Outcome } from '../api/outcomes.ts';
import { counted, grouped } from '../text/numbers.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogButtons } from '../ui/dialog/dialog.tsx';
import { Problem } from '../ui/problem.tsx';
import { Loading } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.tsx';
import styles from './label-filter.module.css';
import { maxLabelled, useLabelMany, useMatching } from './label-many.ts';

interface Properties {
  readonly filters: LogFilters;
  readonly label?: string;
  /** Of the dialog. */
  readonly title?: string;
}

/** Reports one outcome for all decisions of a filter of the log, with undo. */
export function LabelFilter({
  filters,
  label = 'Label all…',
  title = 'Label all decisions of this filter',
}: Properties) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.label}>
      <Button icon="thumbUp" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && <LabelDialog filters={filters} title={title} onClose={() => setOpen(false)} />}
    </div>
  );
}

function LabelDialog({ filters, title, onClose }: { filters: LogFilters; title: string; onClose: () => void }) {
  const matching = useMatching(filters);
  const { label, restore } = useLabelMany();
  const entries = matching.data?.entries ?? [];
  const labelled = entries.filter(({ outcome }) => outcome !== null).length;
  const set = async (outcome: NonNullable<Outcome>) => {
    const { decisions } = await label.mutateAsync({ entries, outcome });
    toast(`${counted(decisions, 'decision')} labelled ${outcome}`, {
      label: 'Undo',
      run: () => restore.mutate(entries),
    });
    onClose();
  };
  const choices = [
    { outcome: 'good', icon: 'thumbUp' },
    { outcome: 'bad', icon: 'thumbDown' },
  ] as const;
  return (
    <Dialog title={title} onClose={onClose}>
      {matching.isPending && !matching.error && <Loading what="The decisions" lines={2} />}
      {matching.error && (
        <Problem error={matching.error} what="The decisions" onRetry={() => void matching.refetch()} />
      )}
      {matching.data && (
        <>
          <p>
            {matching.data.isAll
              ? `${counted(entries.length, 'decision')} will be labelled.`
              : `The newest ${grouped(maxLabelled)} decisions will be labelled; there are more.`}
          </p>
          {labelled > 0 && (
            <p>
              {counted(labelled, 'decision')} {labelled === 1 ? 'has' : 'have'} an outcome already, which is replaced.
            </p>
          )}
        </>
      )}
      {label.error && <Problem error={label.error} what="The outcomes" />}
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        {choices.map(({ outcome, icon }) => (
          <Button
            key={outcome}
            icon={icon}
            busy={label.isPending}
            disabled={entries.length === 0}
            onClick={() => void set(outcome).catch(() => {})}
          >
            Label {grouped(entries.length)} {outcome}
          </Button>
        ))}
      </DialogButtons>
    </Dialog>
  );
}
