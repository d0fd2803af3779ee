import type { Environment, Owner } from '../src/http/endpoint.ts';
import { Attachable } from '../src/platform/attachment.ts';

/** An owner with attachments that last from one request to the next, like a caller with a key. */
export class AttachableOwner extends Attachable implements Owner {
  readonly accountId: string;
  readonly environment: Environment;

  constructor(accountId: string, environment: Environment = 'production') {
    super();
    this.accountId = accountId;
    this.environment = environment;
  }
}
