import type { OpenAnswer } from '../http/open-route.ts';
import type { FormatAnswer } from './formats/format.ts';

/** The HTTP response of a format's answer. Supabase compares the content type with exactly this one. */
export function answerOf({ status, body }: FormatAnswer): OpenAnswer {
  return body === undefined
    ? { status, type: null, text: '' }
    : { status, type: 'application/json', text: JSON.stringify(body) };
}
