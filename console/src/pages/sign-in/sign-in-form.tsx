import { AuthenticationError } from '@signalpost/client';
import { type FormEvent, useState } from 'react';
import { useSignIn } from '../../api/session.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import styles from './sign-in.module.css';

/** Email address and password. The error does not reveal which of them is wrong. */
export function SignInForm({ email: known = '' }: { email?: string | undefined }) {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const signIn = useSignIn();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!signIn.isPending) signIn.mutate({ email, password });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field label="Email">
        <Input
          type="email"
          name="email"
          autoComplete="username"
          required
          autoFocus={known === ''}
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
      </Field>
      <Field label="Password" error={signIn.error && problemOf(signIn.error)}>
        <Input
          type="password"
          name="password"
          autoComplete="current-password"
          required
          autoFocus={known !== ''}
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
      </Field>
      <Button kind="primary" type="submit" busy={signIn.isPending}>
        Sign in
      </Button>
    </form>
  );
}

const problemOf = (error: Error) =>
  error instanceof AuthenticationError ? 'Wrong email address or password.' : whatToDo(error);
