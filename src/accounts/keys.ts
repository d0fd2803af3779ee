import type { Environment } from '../http/endpoint.ts';
import { ulid } from '../ulid.ts';
import { generateKey, isImportableKey, keyDigest } from './key-format.ts';
import type { KeysStore } from './keys-store.ts';

/** What is known of a key after its creation. */
export interface KeyRecord {
  readonly id: string;
  readonly accountId: string;
  readonly environment: Environment;
  readonly name: string | null;
  readonly prefix: string;
  readonly last4: string;
  readonly createdAtMs: number;
  readonly revokedAtMs: number | null;
}

/** What the operator may do with keys. Every method throws an `Error` with one clear sentence on wrong input. */
export interface Keys {
  /** The secret is in the answer and nowhere else. */
  create(input: {
    accountId: string;
    environment: Environment;
    name: string | null;
  }): Promise<{ record: KeyRecord; key: string }>;
  import(input: { accountId: string; environment: Environment; key: string }): Promise<KeyRecord>;
  list(accountId: string): Promise<KeyRecord[]>;
  revoke(id: string): Promise<void>;
}

/** `onChange` is told the account at once, so that this process forgets what it cached without waiting for the poll. */
export function createKeys(store: KeysStore, now: () => number, onChange: (accountId: string) => void): Keys {
  const insert = async (record: KeyRecord, hash: string): Promise<void> => {
    if (!(await store.insert(record, hash))) throw new Error(`there is no account "${record.accountId}"`);
    onChange(record.accountId);
  };
  return {
    async create({ accountId, environment, name }) {
      if (name !== null && (name.trim() === '' || name.length > 120))
        throw new Error('a key name has 1 to 120 characters');
      const { key, record, hash } = newKey({ accountId, environment, name }, now());
      await insert(record, hash);
      return { record, key };
    },
    async import({ accountId, environment, key }) {
      if (!isImportableKey(key)) {
        throw new Error('an imported key has 16 to 128 printable ASCII characters and does not start with sp_');
      }
      const { record, hash } = describeKey(key, { accountId, environment, name: 'imported' }, now());
      await insert(record, hash);
      return record;
    },
    list: (accountId) => store.list(accountId),
    async revoke(id) {
      const accountId = await store.revoke(id, now());
      if (accountId === null) throw new Error(`there is no key "${id}" in use`);
      onChange(accountId);
    },
  };
}

type KeyOwner = { accountId: string; environment: Environment; name: string | null };

/** A fresh key with its record and hash, not stored yet. */
export function newKey(owner: KeyOwner, nowMs: number): { key: string; record: KeyRecord; hash: string } {
  const key = generateKey(owner.environment);
  return { key, ...describeKey(key, owner, nowMs) };
}

function describeKey(key: string, owner: KeyOwner, nowMs: number): { record: KeyRecord; hash: string } {
  const { hash, prefix, last4 } = keyDigest(key);
  const id = ulid(nowMs).toLowerCase();
  return { hash, record: { id, ...owner, prefix, last4, createdAtMs: nowMs, revokedAtMs: null } };
}
