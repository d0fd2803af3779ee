import { AppError } from '../errors.ts';
import type { Author, Owner } from '../http/endpoint.ts';
import { ulid } from '../ulid.ts';
import type { CallRecorder } from './call-recorder.ts';
import { type FormatName, formatOf } from './formats/all.ts';
import { type CallCounts, type Hook, maxHooks, noCalls, oldSecretMs } from './hook.ts';
import type { HookCallsStore } from './hook-calls-store.ts';
import { type HookChange, type NewHook, secretProblem } from './hook-input.ts';
import type { HooksStore } from './hooks-store.ts';

/** A hook and its calls of the last day. */
export interface HookWithCalls {
  readonly hook: Hook;
  readonly calls: CallCounts;
}

/** Customers' operations on hooks. A missing hook and one of another owner throw the same `AppError`. */
export interface Hooks {
  /** Newest first. */
  list(owner: Owner): Promise<HookWithCalls[]>;
  create(author: Author, sent: NewHook): Promise<HookWithCalls>;
  read(owner: Owner, id: string): Promise<HookWithCalls>;
  change(author: Author, id: string, change: HookChange): Promise<HookWithCalls>;
  remove(author: Author, id: string): Promise<void>;
  /** Replaces the secret, with a new one unless one is given. */
  rotateSecret(author: Author, id: string, sent: SentSecret): Promise<HookWithCalls>;
}

export interface SentSecret {
  readonly secret: string | undefined;
  /** Whether the old secret is accepted for a day more. */
  readonly keepOld: boolean;
}

export interface HooksParts {
  readonly store: HooksStore;
  readonly calls: Pick<HookCallsStore, 'countsOf'>;
  readonly recorder: Pick<CallRecorder, 'tryFlush'>;
  readonly gateIds: (owner: Owner) => Promise<readonly string[]>;
  /** Applies a change in this process before the request is answered. */
  readonly onChange: (owner: Owner) => Promise<void>;
  readonly now: () => number;
}

export const dayMs = 86_400_000;

/** Hooks in the database. */
export function createHooks({ store, calls, recorder, gateIds, onChange, now }: HooksParts): Hooks {
  const { withCalls, counted } = createCounting(calls, now);
  const existing = async (owner: Owner, sentId: string): Promise<Hook> => {
    const id = hookIdIn(sentId);
    await recorder.tryFlush();
    const hook = id === null ? null : await store.find(owner, id);
    if (hook === null) throw new AppError('hook_not_found');
    return hook;
  };
  const checkGate = async (owner: Owner, gateId: string): Promise<void> => {
    if (!(await gateIds(owner)).includes(gateId)) throw invalid('gate_id', 'There is no such gate.');
  };
  return {
    async list(owner) {
      await recorder.tryFlush();
      return withCalls(await store.list(owner));
    },
    async create(author, given) {
      await checkGate(author, given.settings.gateId);
      const hook = hookOf(author, given, now());
      if (!(await store.insert(author, hook, maxHooks))) throw new AppError('hook_limit_reached');
      await onChange(author);
      return { hook, calls: noCalls };
    },
    read: async (owner, id) => counted(await existing(owner, id)),
    async change(author, sentId, { settings, format }) {
      const before = await existing(author, sentId);
      if (format !== undefined && format !== before.format) throw invalid('format', 'The format cannot be changed.');
      // A hook may be sent as it was read although its gate was deleted.
      if (settings.gateId !== undefined && settings.gateId !== before.gateId) await checkGate(author, settings.gateId);
      const after = await store.change(author, before.id, settings, now());
      await onChange(author);
      return counted(after);
    },
    async remove(author, sentId) {
      const id = hookIdIn(sentId);
      if (id === null || !(await store.remove(author, id, now()))) throw new AppError('hook_not_found');
      await onChange(author);
    },
    async rotateSecret(author, sentId, { secret, keepOld }) {
      const { id, format } = await existing(author, sentId);
      const nowMs = now();
      const rotation = { secret: newSecret(format, secret), oldUntilMs: keepOld ? nowMs + oldSecretMs : null };
      const after = await store.rotate(author, id, rotation, nowMs);
      await onChange(author);
      return counted(after);
    },
  };
}

/** Adds the counts of the last day to hooks. */
function createCounting(calls: HooksParts['calls'], now: () => number) {
  const withCalls = async (hooks: readonly Hook[]): Promise<HookWithCalls[]> => {
    const ids = hooks.map(({ id }) => id);
    const counts = await calls.countsOf(ids, now() - dayMs);
    return hooks.map((hook) => ({ hook, calls: counts.get(hook.id) ?? noCalls }));
  };
  const counted = async (hook: Hook | null): Promise<HookWithCalls> => {
    if (hook === null) throw new AppError('hook_not_found');
    const [shown] = await withCalls([hook]);
    return shown ?? { hook, calls: noCalls };
  };
  return { withCalls, counted };
}

function hookOf({ accountId, environment }: Owner, { settings, format, secret }: NewHook, nowMs: number): Hook {
  const { secretFromServer, createSecret } = formatOf(format);
  const current = secret ?? (secretFromServer ? null : createSecret());
  return {
    ...settings,
    id: ulid(nowMs).toLowerCase(),
    owner: { accountId, environment },
    format,
    secrets: { current, isSet: current !== null, old: null },
    lastCallAtMs: null,
    lastError: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

/** The sent secret, or a created one; throws when it is invalid, or missing where the server creates it. */
function newSecret(format: FormatName, sent: string | undefined): string {
  const { label, secretFromServer, createSecret } = formatOf(format);
  const problem = sent === undefined ? null : secretProblem(format, sent);
  if (problem !== null) throw invalid('secret', problem);
  if (sent === undefined && secretFromServer) throw invalid('secret', `Send the secret that ${label} shows.`);
  return sent ?? createSecret();
}

const invalid = (field: string, problem: string): AppError =>
  new AppError('validation_failed', { errors: { [field]: [problem] } });

/** The id in lower case; null for a text that cannot be an id and needs no query. */
function hookIdIn(text: string): string | null {
  const id = text.toLowerCase();
  return /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(id) ? id : null;
}
