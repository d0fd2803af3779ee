import type { Environment } from '../http/endpoint.ts';

/** Whose list it is: one for each environment of an account. */
export interface Owner {
  readonly accountId: string;
  readonly environment: Environment;
}
