import { useEffect, useRef, useState } from 'react';
import { useFirstRun, useSignIn } from '../../api/session.ts';
import { Card } from '../../ui/card.tsx';
import { Copy } from '../../ui/copy.tsx';
import styles from './sign-in.module.css';
import { SignInForm } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { tokenOf } from './token.ts';

/** The way in: by password, or by a one-time link whose token stands behind the # and is posted from here. */
export function SignInPage() {
  const [token] = useState(() => tokenOf(location.hash));
  const signIn = useSignIn();
  const { mutate } = signIn;
  const isSent = useRef(false);
  useEffect(() => {
    if (token === null || isSent.current) return;
    isSent.current = true;
    // Out of the address at once: neither the history nor a screenshot keeps it.
    history.replaceState(null, '', '/console/sign-in');
    mutate({ token });
  }, [token, mutate]);
  if (token !== null && !signIn.error) {
    return (
      <SignInFrame title="Signing in">
        <p role="status" className={styles.foot}>
          With your link…
        </p>
      </SignInFrame>
    );
  }
  return <SignInChoices isLinkSpent={signIn.error !== null} />;
}

function SignInChoices({ isLinkSpent }: { isLinkSpent: boolean }) {
  const command = useFirstRun().data;
  if (command) return <FirstRun command={command} isLinkSpent={isLinkSpent} />;
  return (
    <SignInFrame title="Sign in">
      <Card>
        <div className={styles.text}>
          {isLinkSpent && <SpentLink />}
          <SignInForm />
        </div>
      </Card>
      <p className={styles.foot}>
        No password yet, or a forgotten one? Whoever runs the service makes a new link with{' '}
        <code>signalpost users reset-password</code>.
      </p>
    </SignInFrame>
  );
}

function FirstRun({ command, isLinkSpent }: { command: string; isLinkSpent: boolean }) {
  return (
    <SignInFrame title="Nobody has signed in yet">
      <Card>
        <div className={styles.text}>
          {isLinkSpent && <SpentLink />}
          <p>
            Open the link that the service printed when it started. Not at hand? This command, on the machine of the
            service, prints a new one:
          </p>
          <Copy label="Copy the command" text={command} />
        </div>
      </Card>
      <details className={styles.foot}>
        <summary>I have a password</summary>
        <div className={styles.below}>
          <SignInForm />
        </div>
      </details>
    </SignInFrame>
  );
}

function SpentLink() {
  return (
    <p role="alert" className={styles.spent}>
      This link does not open any more: a link works once, for 24 hours.
    </p>
  );
}
