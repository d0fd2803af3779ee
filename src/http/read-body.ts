import { AppError } from '../errors.ts';
import { accept } from '../input/accept.ts';
import type { Input } from '../input/input.ts';
import { bodyObject } from './body-parser.ts';
import type { Body, Family } from './endpoint.ts';

/** Validates a body against its description, with the error shape of the family. */
export function readBody<T>(input: Input<T>, body: Body, family: Family): T {
  const object = bodyObject(body);
  if (object !== null) return accept(input, object);
  // Clients of the blocklist expect an unreadable body to count as one without fields.
  if (family === 'blocklist' || (input.mayBeAbsent && body.kind === 'absent')) return accept(input, {});
  if (body.kind === 'other-type') throw new AppError('unsupported_media_type');
  throw new AppError('validation_failed', {
    errors: { body: [body.kind === 'malformed' ? body.problem : 'The body must be a JSON object.'] },
  });
}
