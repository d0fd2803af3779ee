import { type FormEvent, useState } from 'react';
import type { Me } from '../../api/session.ts';
import { useSetPassword } from '../../api/users.ts';
import { fieldError, whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field, Input } from '../../ui/field.tsx';
import styles from './sign-in.module.css';
import { SignInFrame } from './sign-in-frame.tsx';

/** The first user's address until they choose one. */
const placeholderEmail = 'owner@localhost';

/** Sets the email address and password after the first sign-in by a link. */
export function ChoosePassword({ me }: { me: Me }) {
  const [email, setEmail] = useState(me.user.email === placeholderEmail ? '' : me.user.email);
  const [password, setPassword] = useState('');
  const set = useSetPassword();
  const atEmail = fieldError(set.error, 'email');
  const atPassword = fieldError(set.error, 'password');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (set.isPending) return;
    set.mutate({ password, ...(email === me.user.email ? {} : { email: email.trim() }) });
  };
  return (
    <SignInFrame title="Choose a password">
      <Card>
        <form className={styles.form} onSubmit={submit}>
          <p className={styles.soft}>Your sign-in link works only once. Choose how to sign in from now on.</p>
          <Field label="Email" error={atEmail}>
            <Input
              type="email"
              name="email"
              autoComplete="username"
              required
              autoFocus={email === ''}
              placeholder="you@example.com"
              value={email}
              onChange={({ target }) => setEmail(target.value)}
            />
          </Field>
          <Field
            label="Password"
            hint="At least 12 characters. A few words are easy to remember."
            error={atPassword ?? (set.error && !atEmail ? whatToDo(set.error) : null)}
          >
            <Input
              type="password"
              name="password"
              autoComplete="new-password"
              required
              minLength={12}
              maxLength={200}
              autoFocus={email !== ''}
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
          </Field>
          <Button kind="primary" type="submit" busy={set.isPending}>
            Save and continue
          </Button>
        </form>
      </Card>
    </SignInFrame>
  );
}
