import { type FormEvent, useState } from 'react';
import { useSetPassword } from '../../api/users.ts';
import { fieldError, whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './settings.module.css';

/** Changes the password, which ends the other sessions. */
export function PasswordCard({ email, isNeeded }: { email: string; isNeeded: boolean }) {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const set = useSetPassword();
  const atCurrent = fieldError(set.error, 'current_password');
  const atPassword = fieldError(set.error, 'password');
  const other = set.error && !atCurrent && !atPassword ? whatToDo(set.error) : null;
  const save = (event: FormEvent) => {
    event.preventDefault();
    set.mutate(
      { password, ...(isNeeded ? { current_password: current } : {}) },
      {
        onSuccess: () => {
          setCurrent('');
          setPassword('');
          toast('Password changed; other sessions have ended');
        },
      },
    );
  };
  return (
    <Card title="Password">
      <form className={styles.row} onSubmit={save}>
        {/* Tells password managers whose password this is. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        {isNeeded && (
          <Field label="Current password" error={atCurrent}>
            <Input
              type="password"
              autoComplete="current-password"
              required
              value={current}
              onChange={({ target }) => setCurrent(target.value)}
            />
          </Field>
        )}
        <Field label="New password (at least 12 characters)" error={atPassword ?? other}>
          <Input
            type="password"
            autoComplete="new-password"
            required
            minLength={12}
            maxLength={200}
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        </Field>
        <Button type="submit" busy={set.isPending}>
          Change
        </Button>
      </form>
    </Card>
  );
}
