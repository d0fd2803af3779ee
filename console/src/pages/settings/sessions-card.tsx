import { useSignOut } from '../../api/session.ts';
import { type OwnSession, useEndSession, useSessions } from '../../api/users.ts';
import { browserName } from '../../text/browsers.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import styles from './settings.module.css';

/** The user's sessions, each of which can be ended. */
export function SessionsCard() {
  const sessions = useSessions();
  const end = useEndSession();
  const signOut = useSignOut();
  const columns: readonly Column<OwnSession>[] = [
    {
      title: 'Session',
      isWide: true,
      cell: ({ agent, location, current }) => (
        <>
          {browserName(agent)}, {location ?? 'unknown location'}{' '}
          {current && <span className={styles.soft}>(this one)</span>}
        </>
      ),
    },
    { title: 'From', priority: 2, cell: ({ from }) => <code>{from ?? ''}</code> },
    { title: 'Last seen', isNumber: true, cell: ({ seen_at }) => <Ago at={seen_at} /> },
    {
      title: 'End',
      hideTitle: true,
      buttons: 'words',
      cell: ({ id, current, agent, location }) =>
        !current && (
          <Button
            kind="quiet"
            aria-label={`End the session in ${browserName(agent)}, ${location ?? 'unknown location'}`}
            busy={end.isPending && end.variables === id}
            onClick={() => end.mutate(id)}
          >
            End
          </Button>
        ),
    },
  ];
  return (
    <Card
      title="Your sessions"
      aside={
        <Button busy={signOut.isPending} onClick={() => signOut.mutate(true)}>
          Sign out everywhere
        </Button>
      }
      flush
    >
      {sessions.isPending && <Loading what="Your sessions" lines={3} />}
      {sessions.data && <Table label="Your sessions" columns={columns} rows={sessions.data} keyOf={({ id }) => id} />}
    </Card>
  );
}
