import type { Environment } from '../http/endpoint.ts';

/** Whose list it is: one for each environment of an account. */
export interface Owner {
  readonly accountId: string;
  readonly environment: Environment;
}

/** The topic under which changes to blocklists are announced; the scope is the owner's. */
export const blocklistTopic = 'blocklist';

/** The owner as the scope of an announced change. */
export function scopeOf({ accountId, environment }: Owner): string {
  return `${accountId}/${environment}`;
}

/** The owner a scope stands for. */
export function ownerOf(scope: string): Owner {
  const slash = scope.lastIndexOf('/');
  return { accountId: scope.slice(0, slash), environment: scope.slice(slash + 1) as Environment };
}
