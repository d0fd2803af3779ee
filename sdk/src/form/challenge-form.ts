import type { Challenge } from '../challenge/challenges.ts';
import { solveChallenge } from './solve-challenge.ts';

/** The header that carries a solution, and the field of a form that does. */
export const challengeHeader = 'Signalpost-Challenge';
export const challengeField = 'signalpost_challenge';

/** As `fetch`, for a route behind a guard: solves the challenge that the guard sends, and sends the request again with the solution. */
export async function fetchWithChallenge(
  url: string | URL,
  init: RequestInit,
  onProgress?: (part: number) => void,
): Promise<Response> {
  const response = await fetch(url, init);
  const challenge = await challengeIn(response.clone());
  if (challenge === null) return response;
  const headers = new Headers(init.headers);
  headers.set(challengeHeader, await solveChallenge(challenge, { onProgress }));
  return fetch(url, { ...init, headers });
}

/** The guard's body, as far as a form needs it. */
interface Refusal {
  readonly error?: string;
  readonly message?: string;
  readonly challenge?: Challenge;
}

async function challengeIn(response: Response): Promise<Challenge | null> {
  return response.status === 403 ? ((await refusalIn(response)).challenge ?? null) : null;
}

/** An empty object when the response is not a guard's. */
async function refusalIn(response: Response): Promise<Refusal> {
  return (await response.json().catch(() => null)) ?? {};
}

/**
 * Completes a form before it is sent natively: asks the guard at its action, solves the challenge with visible progress, and adds the
 * solution. Returns the guard's text for a refused visitor; null when the form may be sent.
 */
export async function completeForm(
  form: HTMLFormElement,
  region: HTMLElement,
  checking: string,
): Promise<string | null> {
  const body = new FormData(form);
  const isMultipart = form.getAttribute('enctype')?.toLowerCase() === 'multipart/form-data';
  // A field named "action" or "enctype" would hide the property.
  const response = await fetch(form.getAttribute('action') || location.href, {
    method: 'POST',
    headers: { [challengeHeader]: 'ask' },
    body: isMultipart ? body : new URLSearchParams(body as unknown as Record<string, string>),
  });
  const { error, message = '', challenge } = response.ok ? {} : await refusalIn(response);
  if (challenge === undefined) return error !== undefined && response.status === 422 ? message : null;
  const bar = document.createElement('progress');
  region.replaceChildren(checking, ' ', bar);
  const solution = await solveChallenge(challenge, {
    onProgress: (part) => {
      bar.value = part;
    },
  });
  form.querySelector(`input[name=${challengeField}]`)?.remove();
  form.append(hiddenInput(challengeField, solution));
  region.replaceChildren();
  return null;
}

/** A field that visitors do not see. */
export function hiddenInput(name: string, value: string): HTMLInputElement {
  const input = document.createElement('input');
  return Object.assign(input, { type: 'hidden', name, value });
}

const completing = new WeakSet<HTMLFormElement>();

/** Completes a form marked `data-signalpost="challenge"` and sends it natively; when that fails, it is sent as it is. */
export function completeSubmission(event: Event, checking: string): void {
  const { target: form, submitter } = event as SubmitEvent;
  if (!(form instanceof HTMLFormElement) || form.dataset.signalpost !== 'challenge' || event.defaultPrevented) return;
  event.preventDefault();
  if (completing.has(form)) return;
  completing.add(form);
  const region = statusOf(form);
  completeForm(form, region, checking)
    .catch(() => null)
    .then((refusal) => {
      completing.delete(form);
      region.replaceChildren(refusal ?? '');
      if (refusal !== null) return;
      if (submitter instanceof HTMLButtonElement && submitter.name !== '') {
        form.append(hiddenInput(submitter.name, submitter.value));
      }
      // A field named "submit" would hide the method.
      HTMLFormElement.prototype.submit.call(form);
    });
}

/** The last child of the form, which screen readers announce. */
function statusOf(form: HTMLFormElement): HTMLElement {
  const known = form.querySelector<HTMLElement>('.signalpost-challenge');
  if (known !== null) return known;
  const region = document.createElement('div');
  region.className = 'signalpost-challenge';
  region.setAttribute('role', 'status');
  form.append(region);
  return region;
}
