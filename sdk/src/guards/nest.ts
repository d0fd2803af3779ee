import { type GuardInput, type GuardSettings, type IncomingRequest, refusalOfRequest } from './guard.ts';

/** Settings of the guard for Nest. */
export interface NestSettings extends GuardSettings, GuardInput<IncomingRequest> {
  /** Nest's own, from `@nestjs/common`: it turns into the answer. */
  readonly HttpException: new (
    body: string | Record<string, unknown>,
    status: number,
  ) => Error;
}

/** The part of Nest's execution context that the guard reads. */
interface AnyExecutionContext {
  switchToHttp(): { getRequest<Request>(): Request };
}

/** A guard for `@UseGuards` of Nest: rejects people the gate blocks before the handler sees them. */
export function signUpGuard(settings: NestSettings) {
  return {
    async canActivate(context: AnyExecutionContext): Promise<boolean> {
      const refusal = await refusalOfRequest(settings, context.switchToHttp().getRequest<IncomingRequest>());
      if (refusal === null) return true;
      throw new settings.HttpException({ ...refusal.body }, refusal.status);
    },
  };
}
