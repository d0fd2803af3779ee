import type { Db } from '../db/db.ts';
import type { Feature, Shared } from '../feature.ts';
import type { Owner } from '../http/endpoint.ts';
import { scopeOf } from '../owner-scope.ts';
import type { Job } from '../platform/jobs.ts';
import { eventCounter, startAtZero } from '../platform/metric-kinds.ts';
import { createSlidingWindow } from '../platform/sliding-window.ts';
import { createCallRecorder } from './call-recorder.ts';
import { formatNames } from './formats/all.ts';
import { callResults } from './hook.ts';
import { createHookCall, type HookCallParts } from './hook-call.ts';
import { createHookCallsStore, type HookCallsStore, type TroubledHook } from './hook-calls-store.ts';
import { testHook } from './hook-test.ts';
import { createHooks, dayMs } from './hooks.ts';
import { hooksEndpoints } from './hooks-endpoints.ts';
import { countUnreadableHookSecrets, createHooksStore, hooksTopic } from './hooks-store.ts';
import { createKnownHooks, type KnownHooks } from './known-hooks.ts';
import { hookPaths } from './open-paths.ts';
import type { DecideSignUp, TraceSignUp } from './sign-up-decision.ts';

/** Counts are kept slightly longer than they are shown, because processes may have different clocks. */
const keptMs = dayMs + 3_600_000;

/** Hooks: their settings, and the calls of auth servers. */
export interface HooksFeature extends Feature {
  /** Hooks whose last call failed, for `signalpost doctor`. */
  troubled(): Promise<TroubledHook[]>;
}

/** The dependencies of hooks. */
export interface HooksFeatureParts {
  readonly decide: DecideSignUp;
  readonly trace: TraceSignUp;
  /** The ids of an owner's gates. */
  readonly gateIds: (owner: Owner) => Promise<readonly string[]>;
}

export async function createHooksFeature(
  { config, db, log, now, monotonicMs }: Shared,
  { decide, trace, gateIds }: HooksFeatureParts,
): Promise<HooksFeature> {
  db.secrets.prepare();
  await reportUnreadable(db, log);
  const store = createHooksStore(db);
  const calls = createHookCallsStore(db);
  const known = createKnownHooks(store);
  const recorder = createCallRecorder({ write: calls.add, now, monotonicMs });
  const counted = countCalls();
  const urlOf = (hookId: string, baseUrl: string): string =>
    `${config.publicUrl ?? new URL(baseUrl).origin}/hooks/${hookId}`;
  await known.refresh();
  const onChange = async (owner: Owner): Promise<void> => {
    known.changed(scopeOf(owner));
    // The change is committed; if the hooks cannot be loaded now, the job retries.
    await known.refresh().catch(() => {});
  };
  const hooks = createHooks({ store, calls, recorder, gateIds, now, onChange });
  const call = createHookCall({
    hooks: known,
    decide,
    recorder,
    onCall: ({ format }, { result }) => counted.inc({ format, result }),
    onUndecided: logUndecided(log, monotonicMs),
    now,
    monotonicMs,
  });
  return {
    troubled: () => calls.troubled(now() - dayMs),
    endpoints: hooksEndpoints({
      hooks,
      urlOf,
      test(hook, sent, request) {
        const url = urlOf(hook.id, request.baseUrl);
        return testHook(hook, sent, { url, trace: (question) => trace(hook.gateId, question, request) }, now());
      },
    }),
    openPaths: hookPaths(call),
    follows: [{ topic: hooksTopic, changed: known.changed, changedAll: known.changedAll }],
    metrics: [counted],
    caches: { hooks: known.size },
    buffers: [recorder.buffer],
    jobs: hookJobs(known, calls, now),
  };
}

async function reportUnreadable(db: Db, log: Shared['log']): Promise<void> {
  const unreadable = await countUnreadableHookSecrets(db);
  if (unreadable > 0) {
    log.error(
      { hooks: unreadable },
      'cannot decrypt the secrets of hooks, so their calls are rejected; set SECRET_KEY, or restore secret.key in DATA_DIR, or rotate the secrets',
    );
  }
}

const countCalls = () =>
  startAtZero(
    eventCounter(
      'hook_calls_total',
      'Calls of auth servers by format and result: allow, block, no_email, unavailable, rejected or disabled',
      'format',
      'result',
    ),
    formatNames.flatMap((format) => callResults.map((result) => ({ format, result }))),
  );

/** Logs each hook's reason at most once a minute. */
function logUndecided(log: Shared['log'], monotonicMs: () => number): HookCallParts['onUndecided'] {
  const isLogDue = createSlidingWindow({ limit: 1, windowMs: 60_000 }, monotonicMs);
  return ({ id, unavailable }, reason, error) => {
    if (isLogDue(`${id} ${reason}`) > 0) return;
    log.warn(
      { hook: id, reason, answer: unavailable, ...(error === null ? {} : { err: error }) },
      'a hook could not decide a sign-up',
    );
  };
}

function hookJobs(known: KnownHooks, calls: HookCallsStore, now: () => number): Job[] {
  return [
    {
      name: 'refresh-hooks',
      everyMs: 1_000,
      failure: 'changed hooks are not loaded yet; calls are answered with their earlier settings',
      run: known.refresh,
    },
    {
      name: 'prune-hook-calls',
      everyMs: 3_600_000,
      lease: { forMs: 7_200_000 },
      failure: 'old counts of hook calls could not be removed; the next attempt is in an hour',
      run: () => calls.prune(now() - keptMs),
    },
  ];
}
