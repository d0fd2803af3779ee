import type { Environment, Owner } from '../src/http/endpoint.ts';
import { Attachable } from '../src/platform/attachment.ts';

/** An owner that carries notes from one request to the next, as a caller with a key does. */
export class AttachableOwner extends Attachable implements Owner {
  readonly accountId: string;
  readonly environment: Environment;

  constructor(accountId: string, environment: Environment = 'production') {
    super();
    this.accountId = accountId;
    this.environment = environment;
  }
}
