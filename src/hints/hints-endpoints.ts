import { wireObject } from '../http/answers/wire-object.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { object } from '../input/object.ts';
import { text } from '../input/scalar.ts';
import { schema } from '../input/schema.ts';
import type { ListSource } from '../signals/sources.ts';
import { type Hint, readHint } from './hint.ts';

const hintBody = wireObject<Hint>([
  { path: 'valid', schema: schema.boolean(), value: ({ valid }) => valid },
  {
    path: 'did_you_mean',
    schema: schema.nullable(schema.string(), { description: 'The address that was probably meant' }),
    value: ({ didYouMean }) => didYouMean,
  },
  {
    path: 'disposable',
    schema: schema.nullable(schema.boolean(), { description: 'Null unless the key shows it' }),
    value: ({ disposable }) => disposable,
  },
]);

/** `POST /v1/hints`. */
export function hintsEndpoints(lists: ListSource): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/v1/hints',
      operationId: 'readHint',
      summary: 'Tell a visitor about a typo before a form is sent',
      description:
        "For web pages, with a publishable key (sp_pub_…) and an Origin on that key's list. Reads lists only; costs no credits, takes no token of the account, and is not logged.",
      family: 'gates',
      plan: 'any',
      access: 'page',
      load: 'light',
      errors: [
        'publishable_key_required',
        'origin_not_allowed',
        'hint_limit_reached',
        'validation_failed',
        'unsupported_media_type',
      ],
      credits: 0,
      body: object({ email: text('The email') }),
      response: hintBody,
      handle: ({ body: { email } }, { caller }) => readHint(email, lists, caller.publishable?.showsDisposable === true),
    }),
  ];
}
