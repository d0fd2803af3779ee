import { AppError } from '../errors.ts';
import { bodyObject } from '../http/body-parser.ts';
import type { Body } from '../http/endpoint.ts';

/** The body of a request to Gates, which must be a JSON object. */
export function requestObject(body: Body): Record<string, unknown> {
  if (body.kind === 'other-type') throw new AppError('unsupported_media_type');
  const object = bodyObject(body);
  if (object === null) {
    throw new AppError('validation_failed', {
      errors: { body: [body.kind === 'malformed' ? body.problem : 'The body must be a JSON object.'] },
    });
  }
  return object;
}
