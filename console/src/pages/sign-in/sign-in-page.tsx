import { useEffect, useRef, useState } from 'react';
import { useSignIn } from '../../api/session.ts';
import { whatToDo } from '../../text/problems.ts';
import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './sign-in.module.css';
import { SignInForm } from './sign-in-form.tsx';
import { tokenOf } from './token.ts';

/** The way in: by password, or by a one-time link whose token stands behind the # and is posted from here. */
export function SignInPage() {
  const [token] = useState(() => tokenOf(location.hash));
  const signIn = useSignIn();
  const { mutate } = signIn;
  const isSent = useRef(false);
  useEffect(() => {
    document.title = 'Sign in · Signalpost';
    if (token === null || isSent.current) return;
    isSent.current = true;
    // Out of the address at once: neither the history nor a screenshot keeps it.
    history.replaceState(null, '', '/console/sign-in');
    mutate({ token });
  }, [token, mutate]);
  return (
    <main className={styles.page}>
      <h1 className={styles.name}>
        <Icon name="flag" size={22} />
        Signalpost
      </h1>
      <Card>
        {token !== null && !signIn.error ? (
          <p role="status">Signing in with your link…</p>
        ) : (
          <div className={styles.text}>
            {signIn.error && (
              <p role="alert">
                This link does not open any more: {whatToDo(signIn.error)} A link works once, for 24 hours.
              </p>
            )}
            <SignInForm />
          </div>
        )}
      </Card>
      <p className={styles.foot}>
        No password yet, or a forgotten one? Whoever runs the service makes a new link with{' '}
        <code>signalpost users reset-password</code>.
      </p>
    </main>
  );
}
