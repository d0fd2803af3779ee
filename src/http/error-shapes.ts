import { AppError, type ErrorCode, errorTable, lookupText } from '../errors.ts';
import { type JsonSchema, schema } from '../input/schema.ts';
import type { Family } from './endpoint.ts';

/** The response for an error. */
export interface ErrorAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly retryAfterSeconds: number | undefined;
  /** The `WWW-Authenticate` of a 401 (RFC 9110, 15.5.2): which credentials the path takes. */
  readonly challenge: string | undefined;
}

/** The response for anything thrown, in the shape of the endpoint's family. */
export function errorAnswer(thrown: unknown, family: Family, requestId: string): ErrorAnswer {
  const error = thrown instanceof AppError ? thrown : new AppError('server_error', { cause: thrown });
  const status = statusOf(error.code, family);
  return {
    status,
    body: bodyOf(error, status, family, requestId),
    retryAfterSeconds: error.retryAfterSeconds,
    challenge: challenges[error.code],
  };
}

/** RFC 6750, 3.1: without a key no error is named. A session of the console has no HTTP authentication scheme. */
const challenges: Readonly<Partial<Record<ErrorCode, string>>> = {
  key_required: 'Bearer realm="signalpost"',
  unauthorized: 'Bearer realm="signalpost", error="invalid_token"',
};

/** The status with which a family answers a code. */
export function statusOf(code: ErrorCode, family: Family): number {
  const { status } = errorTable[code];
  // Lookups and v0 answer 400 where v1 and the blocklist answer 422.
  return status === 422 && (family === 'lookup' || family === 'gates-v0') ? 400 : status;
}

/** Errors with one body that clients of all families can read, and their codes there. */
const sharedCodes: Readonly<Partial<Record<ErrorCode, string>>> = {
  ip_blocked: 'rate_limit_exceeded',
  publishable_key: 'publishable_key',
  publishable_key_required: 'publishable_key_required',
  origin_not_allowed: 'origin_not_allowed',
};

function bodyOf(error: AppError, status: number, family: Family, requestId: string): Record<string, unknown> {
  const sharedCode = sharedCodes[error.code];
  if (sharedCode !== undefined) return { status, error: sharedCode, message: error.message };
  switch (family) {
    case 'lookup':
      return { status, error: lookupText(error.code) };
    case 'blocklist':
      return withErrors({ message: status === 429 ? lookupText(error.code) : blocklistMessage(error) }, error);
    case 'gates':
      return withErrors({ error: gatesCode(error.code), message: error.message }, error);
    case 'gates-v0': {
      const code = error.code === 'quota_exceeded' ? 'rate_limit_exceeded' : gatesCode(error.code);
      const body = withErrors({ error: code, message: error.message }, error);
      return [401, 403, 429].includes(status) ? body : { ...body, meta: { request_id: requestId } };
    }
  }
}

/** The first problem with the input, and how many more there are. */
function blocklistMessage({ message, errors = {} }: AppError): string {
  const [first = message, ...more] = Object.values(errors).flat();
  // "errors" for one more, too: clients expect this wording.
  return more.length === 0 ? first : `${first} (and ${more.length} more errors)`;
}

/** Gates has one code for a key that is missing or invalid, and one for a client that must slow down. */
function gatesCode(code: ErrorCode): string {
  if (code === 'account_busy' || code === 'hint_limit_reached') return 'rate_limit_exceeded';
  return code === 'key_required' ? 'unauthorized' : code;
}

function withErrors(body: Record<string, unknown>, error: AppError): Record<string, unknown> {
  const { errors: fields, rules } = error;
  if (fields === undefined && rules === undefined) return body;
  return { ...body, ...(fields && { errors: fields }), ...(rules && { rules }) };
}

const errors = schema.optional({
  ...schema.object({}, { description: 'Validation errors, by field' }),
  additionalProperties: schema.array(schema.string()),
});
const blocked = (field: JsonSchema) =>
  schema.optional({ ...field, description: 'Only with a publishable key, or while the address is blocked' });

const gatesError = {
  error: schema.string({ description: 'Error code for programs to match on' }),
  message: schema.string(),
  errors,
  rules: schema.optional(
    schema.array(schema.object({ gate_id: schema.string(), id: schema.string(), name: schema.string() }), {
      description: 'With list_in_use, the rules that use the list',
    }),
  ),
  status: blocked(schema.integer()),
};

const schemas: Readonly<Record<Family, JsonSchema>> = {
  lookup: schema.object({ status: schema.integer(), error: schema.string(), message: blocked(schema.string()) }),
  blocklist: schema.object({
    message: schema.string(),
    errors,
    status: blocked(schema.integer()),
    error: blocked(schema.string()),
  }),
  gates: schema.object(gatesError),
  'gates-v0': schema.object({
    ...gatesError,
    meta: schema.optional(schema.object({ request_id: schema.string() })),
  }),
};

/** The schema of every error body of a family. */
export function errorSchema(family: Family): JsonSchema {
  return schemas[family];
}
