import type { OpenAnswer } from '../http/open-route.ts';

const codes = { 400: 'bad_request', 401: 'unauthorized', 404: 'hook_not_found', 413: 'payload_too_large' } as const;

/** The answer to a call that is a misconfiguration. No `AppError`: its stack trace takes longer than everything else. */
export function rejection(status: keyof typeof codes, message: string): OpenAnswer {
  return { status, type: 'application/json', text: JSON.stringify({ error: codes[status], message }) };
}
