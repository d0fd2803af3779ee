import { emailOfContent, type GuardInput, type GuardSettings, refusalOf } from './guard.ts';

/** What the guard reads of Hono's context. Hono keeps a body that it has read, so that the route can read it again. */
interface AnyContext {
  readonly req: {
    header(name: string): string | undefined;
    json(): Promise<unknown>;
    parseBody(): Promise<unknown>;
  };
}

/** Hono middleware: rejects people the gate blocks before the route sees them. */
export function signUpGuard<Context extends AnyContext>(settings: GuardSettings & GuardInput<Context>) {
  const { email = emailOfContext, ip } = settings;
  return async (context: Context, next: () => Promise<void>): Promise<Response | undefined> => {
    const refusal = await refusalOf(settings, await email(context), ip?.(context));
    if (refusal !== null) return Response.json(refusal.body, { status: refusal.status });
    await next();
    return undefined;
  };
}

const emailOfContext = ({ req }: AnyContext): Promise<unknown> =>
  emailOfContent(req.header('content-type'), { json: () => req.json(), form: () => req.parseBody() });
