import type { Actor } from '../actor.ts';
import type { Environment, Owner, PublishableKey } from '../http/endpoint.ts';
import { refused } from '../input/input.ts';
import { hasControlCharacters } from '../input/json-value.ts';
import { originsInput } from '../input/origin.ts';
import { createProblems } from '../input/problems.ts';
import { ulid } from '../ulid.ts';
import { generateKey, keyDigest } from './key-text/key-format.ts';
import { type KeyLineProblem, readKeyLines } from './key-text/key-lines.ts';
import type { KeysStore } from './keys-store.ts';

/** A stored key, without its secret. */
export interface KeyRecord {
  readonly id: string;
  readonly accountId: string;
  readonly environment: Environment;
  readonly name: string | null;
  readonly prefix: string;
  readonly last4: string;
  readonly createdAtMs: number;
  readonly revokedAtMs: number | null;
  /** The key is invalid from this time on; null when it does not expire. */
  readonly expiresAtMs: number | null;
  /** The start of the hour in which the key was last used; the current hour may not be written yet. */
  readonly lastUsedAtMs: number | null;
  /** Set when the key is publishable. */
  readonly publishable: PublishableKey | null;
}

/** The result of an import. */
export interface ImportedKeys {
  readonly imported: readonly KeyRecord[];
  /** The number of keys that the owner already had, or that the import repeats. */
  readonly already: number;
}

/** Imported keys, and the lines whose keys look easy to guess. */
export interface KeyImport extends ImportedKeys {
  readonly warnings: readonly KeyLineProblem[];
}

/** The operator's actions on keys. Every method throws an `Error` with a one-sentence explanation on invalid input. */
export interface Keys {
  /** Resolves to the new key; its secret is not stored. */
  create(input: KeyOwner & KeyLimits): Promise<{ record: KeyRecord; key: string }>;
  /** Imports keys, one per line: all of them, or none when a line is invalid. */
  import(input: KeyOwner, lines: AsyncIterable<string> | Iterable<string>): Promise<KeyImport>;
  list(accountId: string): Promise<KeyRecord[]>;
  revoke(id: string): Promise<void>;
}

/** The number of lines that a message lists; more of them indicate a wrong file. */
const problemsListed = 10;

/**
 * Creates the actions on keys; the audit trail records `by` as their actor. `onChange` receives the changed account, so that this
 * process evicts its cached keys without waiting for the poll.
 */
export function createKeys(
  store: KeysStore,
  now: () => number,
  onChange: (accountId: string) => void,
  by: Actor,
): Keys {
  return {
    async create({ expiresAtMs = null, publishable = null, ...owner }) {
      checkName(owner.name);
      const nowMs = now();
      if (expiresAtMs !== null && expiresAtMs <= nowMs) throw new Error('a key cannot expire in the past');
      const restricted = publishable && { ...publishable, origins: readOrigins(publishable.origins) };
      const { key, record, hash } = newKey(owner, nowMs, { expiresAtMs, publishable: restricted });
      if (!(await store.insert(record, hash, by))) throw noAccount(owner.accountId);
      onChange(owner.accountId);
      return { record, key };
    },
    async import(owner, lines) {
      checkName(owner.name);
      const { keys, problems, warnings } = await readKeyLines(lines);
      if (problems.length > 0) throw nothingImported(problems);
      if (keys.length === 0) throw new Error('there are no keys to import; give them on standard input, one per line');
      const nowMs = now();
      const described = keys.map(({ line, key }) => ({ line, ...describeKey(key, owner, nowMs) }));
      const outcome = await store.insertAll(described, owner, by);
      if (outcome === null) throw noAccount(owner.accountId);
      if ('problems' in outcome) throw nothingImported(outcome.problems);
      onChange(owner.accountId);
      return { ...outcome, warnings };
    },
    list: (accountId) => store.list(accountId),
    async revoke(id) {
      const accountId = await store.revoke(id, by, now());
      if (accountId === null) throw new Error(`there is no key "${id}" in use`);
      onChange(accountId);
    },
  };
}

export type KeyOwner = Owner & { readonly name: string | null };

/** The restrictions of a key, if any. */
interface KeyLimits {
  readonly expiresAtMs?: number | null;
  readonly publishable?: PublishableKey | null;
}

function readOrigins(sent: readonly string[]): readonly string[] {
  const problems = createProblems();
  const origins = originsInput.read(sent, 'origin', problems);
  if (origins === refused) throw new Error(Object.values(problems.toFieldErrors()).flat().join(' '));
  return origins;
}

function checkName(name: string | null): void {
  if (name === null) return;
  if (name.trim() === '' || name.length > 120) throw new Error('a key name has 1 to 120 characters');
  if (hasControlCharacters(name)) throw new Error('a key name may not contain control characters');
}

const noAccount = (id: string): Error => new Error(`there is no account "${id}"`);

const nothingImported = (problems: readonly KeyLineProblem[]): Error =>
  new Error(`${listProblems(problems)}. Nothing was imported`);

/** The first reported lines and their reasons, as text. */
export function listProblems(problems: readonly KeyLineProblem[]): string {
  const listed = problems.slice(0, problemsListed).map(({ line, reason }) => `line ${line}: ${reason}`);
  const more = problems.length > problemsListed ? `; and ${problems.length - problemsListed} more` : '';
  return listed.join('; ') + more;
}

/** Generates a key with its record and hash; does not store it. */
export function newKey(
  owner: KeyOwner,
  nowMs: number,
  limits: KeyLimits = {},
): { key: string; record: KeyRecord; hash: string } {
  const key = generateKey(limits.publishable ? 'publishable' : owner.environment);
  return { key, ...describeKey(key, owner, nowMs, limits) };
}

/** The record and hash of a key; does not store it. */
export function describeKey(
  key: string,
  { accountId, environment, name }: KeyOwner,
  nowMs: number,
  { expiresAtMs = null, publishable = null }: KeyLimits = {},
): { record: KeyRecord; hash: string } {
  const { hash, prefix, last4 } = keyDigest(key);
  const owner = { accountId, environment, name };
  const state = { createdAtMs: nowMs, revokedAtMs: null, expiresAtMs, lastUsedAtMs: null, publishable };
  return { hash, record: { id: ulid(nowMs).toLowerCase(), ...owner, prefix, last4, ...state } };
}
