import { type FormEvent, useState } from 'react';
import type { Me } from '../../api/session.ts';
import { useSetPassword } from '../../api/users.ts';
import { fieldError, whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field, Input } from '../../ui/field.tsx';
import styles from './sign-in.module.css';
import { SignInFrame } from './sign-in-frame.tsx';

/** The address that the first user has until somebody says another. */
const placeholderEmail = 'owner@localhost';

/** After the first sign-in by a link: with what one comes in from now on. */
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
    <SignInFrame title="Welcome. Choose a password">
      <Card>
        <form className={styles.form} onSubmit={submit}>
          <p className={styles.soft}>You came in by a link that works once. From now on you sign in with these.</p>
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
            hint="At least 12 characters: a few words are easier than signs."
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
            Save and go on
          </Button>
        </form>
      </Card>
    </SignInFrame>
  );
}
