import { type FormEvent, useState } from 'react';
import type { Me } from '../../api/session.ts';
import { useChangeAccount } from '../../api/users.ts';
import { limitText } from '../../text/limits.ts';
import { grouped } from '../../text/numbers.ts';
import { fieldError, whatToDo } from '../../text/problems.ts';
import { dayName } from '../../text/times.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Switch } from '../../ui/switch.tsx';
import { problemToast, toast } from '../../ui/toast.tsx';
import styles from './settings.module.css';

/** The account's name, its plan (which only the command line changes) and overage. */
export function AccountCard({ me: { account, user } }: { me: Me }) {
  const [name, setName] = useState(account.name);
  const change = useChangeAccount();
  const save = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ name: name.trim() }, { onSuccess: () => toast('Saved') });
  };
  const setOverage = (overage: boolean) =>
    change.mutate({ overage }, { onSuccess: () => toast('Saved'), onError: (error) => problemToast(whatToDo(error)) });
  const { plan } = account;
  return (
    <Card title="Account">
      <div className={styles.stack}>
        <form className={styles.row} onSubmit={save}>
          <Field label="Name" error={fieldError(change.error, 'name')}>
            <Input required maxLength={200} value={name} onChange={({ target }) => setName(target.value)} />
          </Field>
          <Button type="submit" busy={change.isPending} disabled={name.trim() === account.name}>
            Save
          </Button>
        </form>
        <dl className={styles.facts}>
          <dt>Account id</dt>
          <dd>
            <code>{account.id}</code>
          </dd>
          <dt>Plan</dt>
          <dd>{plan.name}</dd>
          <dt>Credits per month</dt>
          <dd>{limitText(plan.credits, 'credits')}</dd>
          <dt>Requests per second</dt>
          <dd>{limitText(plan.rate_limit, 'requestsPerSecond')}</dd>
          <dt>Blocklist entries</dt>
          <dd>{grouped(plan.blocklist_entries)}</dd>
          <dt>Created</dt>
          <dd>{dayName(account.created_at)}</dd>
        </dl>
        {user.role === 'operator' ? (
          <Switch
            label="Allow overage"
            hint="On: requests beyond the month’s credits are served and counted. Off: they are rejected."
            isOn={account.overage}
            isBusy={change.isPending}
            onChange={setOverage}
          />
        ) : (
          <p className={styles.soft}>
            {account.overage
              ? 'Requests beyond the month’s credits are served.'
              : 'Requests beyond the month’s credits are rejected.'}
          </p>
        )}
      </div>
    </Card>
  );
}
