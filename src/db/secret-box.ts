import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Encrypts texts that the service must read again, but that a copy of the database must not reveal (AES-256-GCM). */
export interface SecretBox {
  /** Loads the key, and generates it when there is none; otherwise the first use does. */
  prepare(): void;
  /** The same for two boxes with the same key; it does not reveal the key. */
  fingerprint(): string;
  seal(text: string): string;
  /** Null for a text that was sealed with another key. */
  open(sealed: string): string | null;
}

/** The file of the generated key; backups do not contain it. */
export const secretKeyFile = 'secret.key';

const cipherName = 'aes-256-gcm';
const version = 'v1.';
const ivBytes = 12;
const tagBytes = 16;

/** With `SECRET_KEY`, or without one a key that the first use generates in the data directory. */
export function createSecretBox(given: string | null, dataDir: string): SecretBox {
  let derived: Buffer | null = null;
  const key = (): Buffer => {
    derived ??= Buffer.from(hkdfSync('sha256', given ?? keptKey(dataDir), '', 'signalpost secrets at rest', 32));
    return derived;
  };
  return {
    prepare: () => void key(),
    fingerprint: () => createHmac('sha256', key()).update('signalpost fingerprint').digest('hex'),
    seal(text) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(cipherName, key(), iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return version + Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed.slice(version.length), 'base64url');
      if (!sealed.startsWith(version) || bytes.length < ivBytes + tagBytes) return null;
      const [iv, tag] = [bytes.subarray(0, ivBytes), bytes.subarray(ivBytes, ivBytes + tagBytes)];
      const decipher = createDecipheriv(cipherName, key(), iv, { authTagLength: tagBytes }).setAuthTag(tag);
      const text = decipher.update(bytes.subarray(ivBytes + tagBytes));
      try {
        return Buffer.concat([text, decipher.final()]).toString();
      } catch {
        // The tag does not match: another key sealed it.
        return null;
      }
    },
  };
}

function keptKey(dataDir: string): string {
  const path = join(dataDir, secretKeyFile);
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    // Unlike a rename, a link never replaces the key of a process that started at the same time.
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(path, 'utf8').trim();
}
