import { useEffect, useRef, useState } from 'react';
import { useFirstRun, useSignIn } from '../../api/session.ts';
import { Card } from '../../ui/card.tsx';
import { Copy } from '../../ui/copy.tsx';
import styles from './sign-in.module.css';
import { SignInForm } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { tokenOf } from './token.ts';

/** Signs in by password, or by a one-time link whose token is in the URL fragment. */
export function SignInPage() {
  const [token] = useState(() => tokenOf(location.hash));
  const signIn = useSignIn();
  const { mutate } = signIn;
  const isSent = useRef(false);
  useEffect(() => {
    if (token === null || isSent.current) return;
    isSent.current = true;
    // Remove it from the URL immediately, so that neither the history nor a screenshot contains it.
    history.replaceState(null, '', '/console/sign-in');
    mutate({ token });
  }, [token, mutate]);
  if (token !== null && !signIn.error) {
    return (
      <SignInFrame title="Signing in">
        <p role="status" className={styles.foot}>
          Using your sign-in link…
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
        No password, or forgotten it? An operator of the service can create a sign-in link with{' '}
        <code>signalpost users reset-password</code>.
      </p>
    </SignInFrame>
  );
}

function FirstRun({ command, isLinkSpent }: { command: string; isLinkSpent: boolean }) {
  return (
    <SignInFrame title="Sign in for the first time">
      <Card>
        <div className={styles.text}>
          {isLinkSpent && <SpentLink />}
          <p>
            Open the link that the service printed when it started. To print a new one, run this command on the
            service’s machine:
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
      This link is no longer valid. A link works once and expires after 24 hours.
    </p>
  );
}
