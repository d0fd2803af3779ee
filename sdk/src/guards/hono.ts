import { contentOf, emailOfBody, type GuardInput, type GuardSettings, refusalOf, solutionOfBody } from './guard.ts';

/** The part of Hono's context that the guard reads. Hono keeps a body that it has read, so that the route can read it again. */
interface AnyContext {
  readonly req: {
    header(name: string): string | undefined;
    json(): Promise<unknown>;
    parseBody(): Promise<unknown>;
  };
}

/** Hono middleware: rejects people the gate blocks before the route sees them. */
export function signUpGuard<Context extends AnyContext>(settings: GuardSettings & GuardInput<Context>) {
  return async (context: Context, next: () => Promise<void>): Promise<Response | undefined> => {
    const body = await bodyOf(context);
    const refusal = await refusalOf(settings, {
      email: settings.email === undefined ? emailOfBody({ body }) : await settings.email(context),
      ip: settings.ip?.(context),
      solution: context.req.header('signalpost-challenge') ?? solutionOfBody(body),
    });
    if (refusal !== null) return Response.json(refusal.body, { status: refusal.status });
    await next();
    return undefined;
  };
}

const bodyOf = ({ req }: AnyContext): Promise<unknown> =>
  contentOf(req.header('content-type'), { json: () => req.json(), form: () => req.parseBody() });
