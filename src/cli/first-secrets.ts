import { closeSync, fchmodSync, fsyncSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FirstAccount } from '../accounts/first-account.ts';
import { errorMessage } from '../error-message.ts';
import { makeFolder } from '../files/make-folder.ts';

/** Secrets of a start: generated keys, and the link of the first user. */
export interface FirstSecrets {
  readonly keys: FirstAccount['keys'];
  /** A command that decides a sign-up with one of the keys. */
  readonly example: string | null;
  readonly signInLink: string | null;
  /** The file with the secrets; null when they are printed. */
  readonly file: string | null;
}

/** The file that has the secrets of the first start in place of standard output. */
export interface SecretsFile {
  /** Adds keys and replaces the link; returns the secrets that are left to show. */
  write(secrets: FirstSecrets): FirstSecrets;
}

const linkName = 'sign-in';
const comment =
  '# Secrets of the first start of Signalpost. Copy them to where you keep secrets, then remove this file.';

/** Opens `FIRST_KEYS_FILE`, readable by its owner only; fails when it cannot be written. */
export function openSecretsFile(path: string): SecretsFile {
  // Created before it is needed, and empty: a start that fails later leaves no secret.
  save(path, '', 'a');
  return {
    write({ keys, example, signInLink }) {
      if (keys.length === 0 && signInLink === null) return { keys, example, signInLink, file: null };
      const before = readFileSync(path, 'utf8').split('\n');
      const kept = before.filter((line) => line !== '' && line !== comment && !line.startsWith(`${linkName} `));
      const added = keys.map(({ environment, key }) => `${environment} ${key}`);
      if (example !== null) added.push(`# ${example}`);
      const link = signInLink === null ? [] : [`${linkName} ${signInLink}`];
      save(path, `${[comment, ...kept, ...added, ...link].join('\n')}\n`, 'w');
      return { keys: [], example: null, signInLink: null, file: path };
    },
  };
}

function save(path: string, text: string, flag: 'a' | 'w'): void {
  try {
    makeFolder(dirname(path), 0o700);
    const file = openSync(path, flag, 0o600);
    try {
      fchmodSync(file, 0o600);
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new Error(`FIRST_KEYS_FILE cannot be written: ${errorMessage(error)}`);
  }
}
