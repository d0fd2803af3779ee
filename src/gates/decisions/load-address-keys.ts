import { randomBytes } from 'node:crypto';
import type { Db } from '../../db/db.ts';
import { type AddressKeys, createAddressKeys } from './address-key.ts';
import { loadAddressSecrets } from './address-secret-store.ts';

/** The operator's settings of the log. */
export interface AddressSettings {
  readonly decisionLogAddresses: 'plain' | 'hashed';
  readonly decisionLogSecret: string | null;
}

/** Loads the keys with which a database's log keeps addresses and devices. */
export async function loadAddressKeys(db: Db, settings: AddressSettings): Promise<AddressKeys> {
  const fresh = (): string => randomBytes(32).toString('hex');
  return createAddressKeys(
    settings.decisionLogAddresses,
    await loadAddressSecrets(db, settings.decisionLogSecret, fresh),
  );
}
