import { useEffect, useRef, useState } from 'react';
import { useFirstRun, useReadLink, useSignIn } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Copy } from '../../ui/copy.tsx';
import styles from './sign-in.module.css';
import { SignInForm } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { tokenOf } from './token.ts';

/** Signs in by password, or by a one-time link whose token is in the URL fragment. */
export function SignInPage() {
  const [token] = useState(() => tokenOf(location.hash));
  return token === null ? <SignInChoices isLinkSpent={false} /> : <SignInByLink token={token} />;
}

/** Names the account and waits for the user: a link in a mail or on a page could sign them in as another person. */
function SignInByLink({ token }: { token: string }) {
  const link = useReadLink();
  const signIn = useSignIn();
  const { mutate: read } = link;
  const isSent = useRef(false);
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    // Remove it from the URL immediately, so that neither the history nor a screenshot contains it.
    history.replaceState(null, '', '/console/sign-in');
    read(token);
  }, [token, read]);
  if (link.error || signIn.error) return <SignInChoices isLinkSpent />;
  if (!link.data) {
    return (
      <SignInFrame title="Signing in">
        <p role="status" className={styles.foot}>
          Reading your sign-in link…
        </p>
      </SignInFrame>
    );
  }
  const { email, account } = link.data;
  return (
    <SignInFrame title="Sign in with your link">
      <Card>
        <div className={styles.text}>
          <p>
            This link signs you in to the account <strong>{account}</strong> as <strong>{email}</strong>.
          </p>
          <p className={styles.soft}>Continue only if this is your account.</p>
          <Button kind="primary" autoFocus busy={signIn.isPending} onClick={() => signIn.mutate({ token })}>
            Sign in
          </Button>
        </div>
      </Card>
    </SignInFrame>
  );
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
