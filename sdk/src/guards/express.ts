import { type GuardInput, type GuardSettings, type IncomingRequest, refusalOfRequest } from './guard.ts';

interface AnyResponse {
  status(code: number): { json(body: unknown): unknown };
}

/** Express middleware: rejects people the gate blocks before the route sees them. Parse the body first. */
export function signUpGuard(settings: GuardSettings & GuardInput<IncomingRequest>) {
  return async (request: IncomingRequest, response: AnyResponse, next: (error?: unknown) => void): Promise<void> => {
    try {
      const refusal = await refusalOfRequest(settings, request);
      if (refusal === null) next();
      else response.status(refusal.status).json(refusal.body);
    } catch (error) {
      next(error);
    }
  };
}
