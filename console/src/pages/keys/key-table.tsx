import type { Key } from '../../api/keys.ts';
import { Button } from '../../ui/button.tsx';
import { Pill } from '../../ui/pill.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { KeyName } from './key-name.tsx';
import styles from './keys.module.css';

const states = { in_use: 'allow', expired: 'unknown', revoked: 'block' } as const;
const words = { in_use: 'active', expired: 'expired', revoked: 'revoked' } as const;

interface Properties {
  readonly keys: readonly Key[];
  readonly onRevoke: (key: Key) => void;
  /** The keys belong to several environments. */
  readonly hasEnvironments?: boolean;
}

/** Keys with their names, their last characters and when they were last used. */
export function KeyTable({ keys, onRevoke, hasEnvironments = false }: Properties) {
  const columns: readonly Column<Key>[] = [
    { title: 'Name', isWide: true, cell: (key) => <KeyName key={key.name} named={key} /> },
    {
      title: 'Key',
      priority: 3,
      cell: ({ prefix, last4, publishable }) => (
        <>
          <code>
            {prefix}…{last4}
          </code>
          {publishable && <div className={styles.origins}>{publishable.origins.join(', ')}</div>}
        </>
      ),
    },
    ...(hasEnvironments ? [{ title: 'Environment', cell: ({ environment }: Key) => environment }] : []),
    { title: 'State', cell: ({ state }) => <Pill tone={states[state]}>{words[state]}</Pill> },
    {
      title: 'Last used',
      priority: 2,
      isNumber: true,
      cell: ({ last_used_at }) => (last_used_at ? <Ago at={last_used_at} /> : 'never used'),
    },
    {
      title: 'Revoke',
      hideTitle: true,
      buttons: 'words',
      cell: (key) =>
        key.state === 'in_use' && (
          <Button kind="quiet" aria-label={`Revoke ${nameOf(key)}`} onClick={() => onRevoke(key)}>
            Revoke…
          </Button>
        ),
    },
  ];
  return <Table label="Keys" columns={columns} rows={keys} keyOf={({ id }) => id} />;
}

/** The name of a key, or a description by its last characters. */
export const nameOf = ({ name, last4 }: Pick<Key, 'name' | 'last4'>): string => name ?? `the key ending in ${last4}`;
