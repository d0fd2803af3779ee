import { contentOf, emailOfBody, type GuardInput, type GuardSettings, refusalOf, solutionOfBody } from './guard.ts';

/** A Next.js route handler, or any other that takes a Request and gives a Response, behind a gate. */
export function guardRoute<RouteRequest extends Request, Context>(
  settings: GuardSettings & GuardInput<RouteRequest>,
  handler: (request: RouteRequest, context: Context) => Response | Promise<Response>,
) {
  return async (request: RouteRequest, context: Context): Promise<Response> => {
    const body = await bodyOf(request);
    const refusal = await refusalOf(settings, {
      email: settings.email === undefined ? emailOfBody({ body }) : await settings.email(request),
      ip: settings.ip?.(request),
      solution: request.headers.get('signalpost-challenge') ?? solutionOfBody(body),
    });
    return refusal === null ? handler(request, context) : Response.json(refusal.body, { status: refusal.status });
  };
}

/** A JSON body or a form, read from a copy so that the handler can read it again. */
function bodyOf(request: Request): Promise<unknown> {
  const copy = request.clone();
  return contentOf(request.headers.get('content-type'), {
    json: () => copy.json(),
    form: async () => Object.fromEntries(await copy.formData()),
  });
}
