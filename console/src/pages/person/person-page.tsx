import { Suspense, useState } from 'react';
import { Link, useParams } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { addableOf, type LogEntry, useDecision, useLog } from '../../api/log.ts';
import { AddToList } from '../../custom-lists/add-to-list.tsx';
import { LabelFilter } from '../../outcomes/label-filter.tsx';
import { personText } from '../../text/person.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { lazyPart } from '../../ui/chunk.ts';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { LogTable } from '../log/log-table.tsx';
import { BlockPerson } from './block-person.tsx';
import { InWaves } from './in-waves.tsx';
import { OnLists } from './on-lists.tsx';
import styles from './person.module.css';
import { ThroughHooks } from './through-hooks.tsx';

const LetIn = lazyPart(async () => (await import('../decision/let-in.tsx')).LetIn);

/** One person: the decisions of all gates about every spelling of an address, their outcomes, waves and hooks, and the lists that name it. */
export function PersonPage() {
  const { address: encoded = '' } = useParams<{ address: string }>();
  const address = decodeURIComponent(encoded);
  const log = useLog({ mailbox: address });
  const entries = log.data?.pages.flatMap(({ data }) => data) ?? [];
  const hooks = new Set(entries.flatMap(({ hook_id }) => hook_id ?? []));
  return (
    <Page
      title={address}
      documentTitle={`${address} · Person`}
      lead="Every decision about this mailbox, in every spelling and every gate."
    >
      {log.error && <Problem error={log.error} what="The decisions" onRetry={() => void log.refetch()} />}
      {log.isPending && !log.error && <Loading what="The decisions" lines={6} />}
      {log.data && (
        <>
          <p className={styles.summary}>{personText(entries, log.hasNextPage)}</p>
          <Actions address={address} entries={entries} />
          <OnLists address={address} />
          <InWaves address={address} entries={entries} />
          {hooks.size > 0 && <ThroughHooks ids={hooks} />}
          {entries.length > 0 && (
            <Card title="Decisions" flush>
              <LogTable entries={entries} />
              {log.hasNextPage && (
                <div className={styles.more}>
                  <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
                    Show older decisions
                  </Button>
                </div>
              )}
            </Card>
          )}
        </>
      )}
    </Page>
  );
}

function Actions({ address, entries }: { address: string; entries: readonly LogEntry[] }) {
  const environment = useEnvironment();
  const [isLettingIn, setLettingIn] = useState(false);
  const stopped = entries.find(({ action }) => action !== 'allow');
  const [newest] = entries;
  return (
    <>
      <div className={styles.actions}>
        {stopped && (
          <Button icon="plus" aria-expanded={isLettingIn} onClick={() => setLettingIn(!isLettingIn)}>
            Let them in…
          </Button>
        )}
        {newest && <BlockPerson address={address} gateId={newest.gate.id} />}
        <AddToList values={addableOf({ input: { email: address } })} />
        {newest && (
          <div>
            <LabelFilter
              filters={{ mailbox: address }}
              label="Mark good or bad…"
              title="How did this person turn out?"
            />
          </div>
        )}
        <ButtonLink href={`/${environment}/lookup?q=${encodeURIComponent(address)}`} icon="lookup">
          Look up
        </ButtonLink>
      </div>
      {isLettingIn && stopped && <LetInNewest id={stopped.id} />}
    </>
  );
}

/** The changes that allow the newest decision that stopped the person. */
function LetInNewest({ id }: { id: string }) {
  const environment = useEnvironment();
  const decision = useDecision(id);
  return (
    <Suspense fallback={<Loading what="The changes" lines={6} />}>
      {decision.error && <Problem error={decision.error} what="The decision" />}
      {decision.data && (
        <>
          <p>
            For <Link href={`/${environment}/log/${id}`}>the newest decision that stopped them</Link>:
          </p>
          <LetIn decision={decision.data} />
        </>
      )}
    </Suspense>
  );
}
