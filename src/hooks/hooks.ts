import { AppError } from '../errors.ts';
import type { Author, Owner } from '../http/endpoint.ts';
import { ulid } from '../ulid.ts';
import type { CallRecorder } from './call-recorder.ts';
import { formatOf } from './formats/all.ts';
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
  const withCalls = async (hooks: readonly Hook[]): Promise<HookWithCalls[]> => {
    const counts = await calls.countsOf(
      hooks.map(({ id }) => id),
      now() - dayMs,
    );
    return hooks.map((hook) => ({ hook, calls: counts.get(hook.id) ?? noCalls }));
  };
  const existing = async (owner: Owner, sentId: string): Promise<Hook> => {
    const id = hookIdIn(sentId);
    await recorder.tryFlush();
    const hook = id === null ? null : await store.find(owner, id);
    if (hook === null) throw new AppError('hook_not_found');
    return hook;
  };
  const counted = async (hook: Hook | null): Promise<HookWithCalls> => {
    if (hook === null) throw new AppError('hook_not_found');
    const [shown] = await withCalls([hook]);
    return shown ?? { hook, calls: noCalls };
  };
  const checkGate = async (owner: Owner, gateId: string): Promise<void> => {
    if (!(await gateIds(owner)).includes(gateId)) throw invalid('gate_id', 'There is no such gate.');
  };
  return {
    async list(owner) {
      await recorder.tryFlush();
      return withCalls(await store.list(owner));
    },
    async create(author, { settings, format, secret }) {
      await checkGate(author, settings.gateId);
      const { secretFromServer, createSecret } = formatOf(format);
      const current = secret ?? (secretFromServer ? null : createSecret());
      const nowMs = now();
      const hook: Hook = {
        ...settings,
        id: ulid(nowMs).toLowerCase(),
        owner: { accountId: author.accountId, environment: author.environment },
        format,
        secrets: { current, isSet: current !== null, old: null },
        lastCallAtMs: null,
        lastError: null,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
      };
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
      const { label, secretFromServer, createSecret } = formatOf(format);
      const problem = secret === undefined ? null : secretProblem(format, secret);
      if (problem !== null) throw invalid('secret', problem);
      if (secret === undefined && secretFromServer) throw invalid('secret', `Send the secret that ${label} shows.`);
      const nowMs = now();
      const rotation = { secret: secret ?? createSecret(), oldUntilMs: keepOld ? nowMs + oldSecretMs : null };
      const after = await store.rotate(author, id, rotation, nowMs);
      await onChange(author);
      return counted(after);
    },
  };
}

const invalid = (field: string, problem: string): AppError =>
  new AppError('validation_failed', { errors: { [field]: [problem] } });

/** The id in lower case; null for a text that cannot be an id and needs no query. */
function hookIdIn(text: string): string | null {
  const id = text.toLowerCase();
  return /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(id) ? id : null;
}
