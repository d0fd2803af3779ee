import { type FormEvent, useState } from 'react';
import { type SignInLink, type User, useCreateUser, useNewLink, useUsers } from '../../api/users.ts';
import { fieldError, whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { problemToast } from '../../ui/toast.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { RemoveUser } from './remove-user.tsx';
import styles from './settings.module.css';

/** The users: add, send a link, remove. */
export function UsersCard({ isOperator }: { isOperator: boolean }) {
  const users = useUsers();
  const newLink = useNewLink();
  const [link, setLink] = useState<SignInLink | null>(null);
  const [removed, setRemoved] = useState<User | null>(null);
  const sendLink = (user: User) =>
    newLink.mutate(user.id, { onSuccess: setLink, onError: (error) => problemToast(whatToDo(error)) });
  const columns: readonly Column<User>[] = [
    {
      title: 'User',
      isWide: true,
      cell: ({ email, you }) => (
        <>
          {email} {you && <span className={styles.soft}>(you)</span>}
        </>
      ),
    },
    { title: 'Role', cell: ({ role }) => role },
    {
      title: 'Last signed in',
      isNumber: true,
      cell: ({ signed_in_at }) => (signed_in_at ? <Ago at={signed_in_at} /> : 'never'),
    },
    {
      title: 'Actions',
      hideTitle: true,
      buttons: 'words',
      cell: (user) =>
        !user.you && (
          <span className={styles.buttons}>
            <Button
              kind="quiet"
              aria-label={`New link for ${user.email}`}
              busy={newLink.isPending && newLink.variables === user.id}
              onClick={() => sendLink(user)}
            >
              New link
            </Button>
            <Button kind="quiet" aria-label={`Remove ${user.email}`} onClick={() => setRemoved(user)}>
              Remove…
            </Button>
          </span>
        ),
    },
  ];
  return (
    <Card title="Users" flush>
      {users.error && <Problem error={users.error} what="The users" onRetry={() => void users.refetch()} />}
      {users.isPending && !users.error && <Loading what="The users" lines={3} />}
      {users.data && <Table label="Users" columns={columns} rows={users.data} keyOf={({ id }) => id} />}
      <AddUser isOperator={isOperator} onAdded={setLink} />
      {link && <LinkDialog link={link} onClose={() => setLink(null)} />}
      {removed && <RemoveUser user={removed} onClose={() => setRemoved(null)} />}
    </Card>
  );
}

function AddUser({ isOperator, onAdded }: { isOperator: boolean; onAdded: (link: SignInLink) => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<User['role']>('member');
  const create = useCreateUser();
  const add = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(
      { email: email.trim(), role },
      {
        onSuccess: (link) => {
          setEmail('');
          onAdded(link);
        },
      },
    );
  };
  return (
    <form className={styles.addUser} onSubmit={add}>
      <Field label="Add a user" error={create.error && (fieldError(create.error, 'email') ?? whatToDo(create.error))}>
        <Input
          type="email"
          required
          placeholder="joe@example.com"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
      </Field>
      {isOperator && (
        <Field label="Role">
          <Select value={role} onChange={({ target }) => setRole(target.value as User['role'])}>
            <option value="member">member: this account</option>
            <option value="operator">operator: also lists and limits</option>
          </Select>
        </Field>
      )}
      <Button type="submit" icon="plus" busy={create.isPending}>
        Add
      </Button>
    </form>
  );
}
