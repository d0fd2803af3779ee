import { environments, type Owner } from '../http/endpoint.ts';
import { scopeOf } from '../owner-scope.ts';
import type { Hook } from './hook.ts';
import type { HooksStore } from './hooks-store.ts';

/**
 * Every hook, in memory: a call with an unknown id or a wrong signature costs no query, and calls are answered while the storage
 * is unavailable. The limit of hooks per environment bounds it.
 */
export interface KnownHooks {
  find(id: string): Hook | undefined;
  /** An owner's hooks have changed; their scope names the owner. */
  changed(scope: string): void;
  changedAll(): void;
  /** Loads changed hooks; rejects while the storage is unavailable, and then the next call retries. */
  refresh(): Promise<void>;
  size(): number;
}

export function createKnownHooks(store: Pick<HooksStore, 'all' | 'list'>): KnownHooks {
  const byId = new Map<string, Hook>();
  const stale = new Set<string>();
  let isAllStale = true;
  let last: Promise<void> = Promise.resolve();
  const loadAll = async (): Promise<void> => {
    isAllStale = false;
    stale.clear();
    try {
      replaceIn(byId, await store.all(), () => true);
    } catch (error) {
      isAllStale = true;
      throw error;
    }
  };
  const loadOwn = async (scope: string): Promise<void> => {
    stale.delete(scope);
    const owner = ownerIn(scope);
    try {
      if (owner !== null) replaceIn(byId, await store.list(owner), (one) => scopeOf(one) === scope);
    } catch (error) {
      stale.add(scope);
      throw error;
    }
  };
  const load = async (): Promise<void> => {
    if (isAllStale) await loadAll();
    for (const scope of [...stale]) await loadOwn(scope);
  };
  /** One load at a time, so that an earlier reading never replaces a later one. */
  const refresh = (): Promise<void> => {
    const loaded = last.then(load);
    last = loaded.catch(() => {});
    return loaded;
  };
  return {
    find: (id) => byId.get(id),
    changed(scope) {
      stale.add(scope);
      // The job retries a failed load.
      refresh().catch(() => {});
    },
    changedAll() {
      isAllStale = true;
      refresh().catch(() => {});
    },
    refresh,
    size: () => byId.size,
  };
}

function replaceIn(byId: Map<string, Hook>, hooks: readonly Hook[], isReplaced: (owner: Owner) => boolean): void {
  for (const { id, owner } of byId.values()) if (isReplaced(owner)) byId.delete(id);
  for (const hook of hooks) byId.set(hook.id, hook);
}

function ownerIn(scope: string): Owner | null {
  const [accountId = '', name] = scope.split('/');
  const environment = environments.find((known) => known === name);
  return environment === undefined ? null : { accountId, environment };
}
