import { type ApiPromise, data } from './api-promise.ts';
import type { BodyOf, Call, DataOf } from './call.ts';
import type { CallOptions } from './settings.ts';

/** A URL at which an auth server asks a gate about a sign-up. */
export interface Hook extends DataOf<'readHook'> {}
/** A hook with its secret, which is shown when it is new. */
export interface HookWithSecret extends DataOf<'createHook'> {}
/** The settings of a new hook. */
export interface NewHook extends BodyOf<'createHook'> {}
/** The settings of a hook to change. */
export interface HookChanges extends BodyOf<'changeHook'> {}
/** The request that an auth server would send, and the response. */
export interface HookTest extends DataOf<'testHook'> {}

/** The calls of hooks: one line an endpoint. */
export const hookCalls = (call: Call) => ({
  /** The hooks of the environment, newest first. */
  list: (options?: CallOptions): ApiPromise<Hook[]> => data(call('listHooks', {}, options)),
  /** Creates a hook; only this answer contains its secret. */
  create: (hook: NewHook, options?: CallOptions): ApiPromise<HookWithSecret> =>
    data(call('createHook', { body: hook }, options)),
  /** One hook. */
  get: (hook_id: string, options?: CallOptions): ApiPromise<Hook> =>
    data(call('readHook', { path: { hook_id } }, options)),
  /** Changes only the given properties. */
  update: (hook_id: string, changes: HookChanges, options?: CallOptions): ApiPromise<Hook> =>
    data(call('changeHook', { path: { hook_id }, body: changes }, options)),
  /** Removes a hook; its URL then answers 404. */
  delete: (hook_id: string, options?: CallOptions): ApiPromise<void> =>
    call('removeHook', { path: { hook_id } }, options),
  /** Sets or generates a secret, which is in this answer only. */
  rotateSecret: (
    hook_id: string,
    secret: BodyOf<'rotateHookSecret'> = {},
    options?: CallOptions,
  ): ApiPromise<HookWithSecret> => data(call('rotateHookSecret', { path: { hook_id }, body: secret }, options)),
  /** The exchange that the auth server would have for a sign-up; nothing is logged. */
  test: (hook_id: string, signUp: BodyOf<'testHook'>, options?: CallOptions): ApiPromise<HookTest> =>
    data(call('testHook', { path: { hook_id }, body: signUp }, options)),
});
