import { useMe } from '../../api/session.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Asks for the password over the page when the session has ended; the page keeps its input. */
export function SignInDialog() {
  const me = useMe().data;
  return (
    <Dialog title="Your session has ended" closable={false} onClose={() => {}}>
      <p>Sign in to continue. Your unsaved changes are still here.</p>
      <SignInForm email={me?.user.email} />
    </Dialog>
  );
}
