import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '../../api/environment.ts';
import { revisionQuery } from '../../api/gate.ts';
import { ago } from '../../text/times.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { authorName } from '../author.ts';
import { type Draft, draftOf, onto } from '../draft.ts';
import type { Catalogue } from '../gate.ts';
import { rulesOf } from '../use-draft.ts';
import { DifferenceList } from './difference-list.tsx';
import { differences } from './differences.ts';
import styles from './review-dialog.module.css';

interface Properties {
  readonly gateId: string;
  readonly draft: Draft;
  readonly catalogue: Catalogue;
  readonly onClose: () => void;
  readonly onTheirs: () => void;
  /** Rebases the draft on the other user's change: the review then shows what it would undo. */
  readonly onMine: (draft: Draft) => void;
}

/** Shown when another user saved first: both changes, and a choice. */
export function ConflictDialog({ gateId, draft, catalogue, onClose, onTheirs, onMine }: Properties) {
  const environment = useEnvironment();
  const { data: theirs, error, isFetching } = useQuery({ ...revisionQuery(environment, gateId, 'current'), gcTime: 0 });
  const isNewer = theirs !== undefined && theirs.revision !== draft.revision;
  return (
    <Dialog title="Another user has saved this gate" wide onClose={onClose}>
      {error && <Problem error={error} what="Their change" />}
      {!isNewer && isFetching && <Loading what="Their change" lines={4} />}
      {isNewer && (
        <>
          <section className={styles.part} aria-label="Their change">
            <h3>
              {authorName(theirs.changed_by)} changed, {ago(theirs.changed_at)}
            </h3>
            <DifferenceList
              differences={differences(draft.base, draftOf(theirs.revision, rulesOf(theirs)).base, catalogue)}
            />
          </section>
          <section className={styles.part} aria-label="Your change">
            <h3>You changed</h3>
            <DifferenceList differences={differences(draft.base, draft.now, catalogue)} />
          </section>
          <DialogButtons>
            <Button onClick={onTheirs}>Use theirs, discard mine</Button>
            <Button kind="primary" onClick={() => onMine(onto(draft, theirs.revision, rulesOf(theirs)))}>
              Keep mine, review again
            </Button>
          </DialogButtons>
        </>
      )}
    </Dialog>
  );
}
