import { errorCodes } from '../operations.ts';

/** The code of an error's body: its `error` where that is a code, else the code for its text, else null. */
export function errorCode(body: Readonly<Record<string, unknown>> | null): string | null {
  const { error, message } = body ?? {};
  if (typeof error === 'string' && /^[a-z][a-z0-9_]*$/.test(error)) return error;
  return codeOf(error) ?? codeOf(message);
}

function codeOf(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const known = text.replaceAll(/\d[\d,]*/g, '0');
  return Object.hasOwn(errorCodes, known) ? (errorCodes[known] ?? null) : null;
}
