import type { Environment } from '../http/endpoint.ts';

/** Whose gates they are: each environment of an account has its own. */
export interface Owner {
  readonly accountId: string;
  readonly environment: Environment;
}
