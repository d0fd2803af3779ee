import { createKeys } from '../../accounts/keys.ts';
import type { KeysStore } from '../../accounts/keys-store.ts';
import type { ConsoleKeys } from '../../console/keys-endpoints.ts';

/** The keys of accounts for the console; `onChange` is told the account at once, so that this process forgets what it cached. */
export function keysForConsole(
  store: KeysStore,
  now: () => number,
  onChange: (accountId: string) => void,
): ConsoleKeys {
  return {
    list: (accountId) => store.list(accountId),
    create: (wanted, by) => createKeys(store, now, onChange, by).create(wanted),
    rename: (id, accountId, name, by) => store.rename(id, accountId, name, by, now()),
    async revoke(id, accountId, by) {
      const isRevoked = (await store.revoke(id, by, now(), accountId)) !== null;
      if (isRevoked) onChange(accountId);
      return isRevoked;
    },
  };
}
