import { emailOfBody, type GuardInput, type GuardSettings, refusalOf, refusalStatus } from './guard.ts';

/** A Next.js route handler, or any other that takes a Request and gives a Response, behind a gate. */
export function guardRoute<RouteRequest extends Request, Context>(
  settings: GuardSettings & GuardInput<RouteRequest>,
  handler: (request: RouteRequest, context: Context) => Response | Promise<Response>,
) {
  const { email = emailOfRequest, ip } = settings;
  return async (request: RouteRequest, context: Context): Promise<Response> => {
    const refusal = await refusalOf(settings, await email(request), ip?.(request));
    return refusal === null ? handler(request, context) : Response.json(refusal, { status: refusalStatus });
  };
}

/** The `email` of a JSON body or a form, read from a copy so that the handler can read it again. */
async function emailOfRequest(request: Request): Promise<unknown> {
  const copy = request.clone();
  const isJson = request.headers.get('content-type')?.includes('json');
  try {
    return isJson ? emailOfBody({ body: await copy.json() }) : (await copy.formData()).get('email');
  } catch {
    return undefined; // An unreadable body has no address in it.
  }
}
