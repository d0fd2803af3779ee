import { useMe } from '../../api/session.ts';
import { Page } from '../../ui/page.tsx';
import { AccountCard } from './account-card.tsx';
import { KeyboardCard } from './keyboard-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { UsersCard } from './users-card.tsx';

/** The account, its users, and the user's own settings. */
export function SettingsPage() {
  const me = useMe().data;
  if (!me) return null;
  return (
    <Page title="Settings" lead={`Signed in as ${me.user.email} (${me.user.role}). Signalpost ${me.version}.`}>
      <AccountCard me={me} />
      <UsersCard isOperator={me.user.role === 'operator'} />
      <PasswordCard email={me.user.email} isNeeded={me.user.password_needed} />
      <SessionsCard />
      <KeyboardCard />
    </Page>
  );
}
