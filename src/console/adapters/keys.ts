import { createKeys } from '../../accounts/keys.ts';
import { createKeysStore } from '../../accounts/keys-store.ts';
import type { Shared } from '../../feature.ts';
import type { ConsoleKeys } from '../keys-endpoints.ts';

/** Accounts' keys for the console; `onChange` evicts the account from this process's caches. */
export function consoleKeys({ db, now }: Shared, onChange: (accountId: string) => void): ConsoleKeys {
  const store = createKeysStore(db);
  return {
    list: (accountId) => store.list(accountId),
    create: (wanted, by) => createKeys(store, now, onChange, by).create(wanted),
    rename: (id, accountId, name, by) => store.rename({ id, accountId }, name, by, now()),
    async revoke(id, accountId, by) {
      const isRevoked = (await store.revoke(id, by, now(), accountId)) !== null;
      if (isRevoked) onChange(accountId);
      return isRevoked;
    },
  };
}
