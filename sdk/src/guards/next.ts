import { emailOfContent, type GuardInput, type GuardSettings, refusalOf } from './guard.ts';

/** A Next.js route handler, or any other that takes a Request and gives a Response, behind a gate. */
export function guardRoute<RouteRequest extends Request, Context>(
  settings: GuardSettings & GuardInput<RouteRequest>,
  handler: (request: RouteRequest, context: Context) => Response | Promise<Response>,
) {
  const { email = emailOfRequest, ip } = settings;
  return async (request: RouteRequest, context: Context): Promise<Response> => {
    const refusal = await refusalOf(settings, await email(request), ip?.(request));
    return refusal === null ? handler(request, context) : Response.json(refusal.body, { status: refusal.status });
  };
}

/** The `email` of a JSON body or a form, read from a copy so that the handler can read it again. */
function emailOfRequest(request: Request): Promise<unknown> {
  const copy = request.clone();
  return emailOfContent(request.headers.get('content-type'), {
    json: () => copy.json(),
    form: async () => Object.fromEntries(await copy.formData()),
  });
}
