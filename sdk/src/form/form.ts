import { completeSubmission } from './challenge-form.ts';

export { fetchWithChallenge } from './challenge-form.ts';
export { solveChallenge } from './solve-challenge.ts';

/** Where hints come from, and the words that visitors read. */
export interface FormSettings {
  /** The URL of the service, for example `https://signalpost.example.com`; it may end in a path. */
  readonly baseUrl: string;
  /** A publishable key: `sp_pub_…`. */
  readonly key: string;
  readonly texts?: Partial<FormTexts> | undefined;
}

/** The words that visitors read; `{email}` is replaced by the suggested address. */
export interface FormTexts {
  readonly suggestion: string;
  readonly accept: string;
  readonly accepted: string;
  readonly disposable: string;
  /** Shown while a challenge is solved. */
  readonly checking: string;
}

const english: FormTexts = {
  suggestion: 'Did you mean {email}?',
  accept: 'Use this address',
  accepted: 'The address is now {email}.',
  disposable: 'This looks like a temporary address. We may not be able to reach you there.',
  checking: 'One moment, we check that a browser is at work …',
};

interface Hint {
  readonly did_you_mean: string | null;
  readonly disposable: boolean | null;
}

const answerTimeoutMs = 3_000;
const watched = 'form[data-signalpost] input[type=email]';

/**
 * Watches the email fields of forms marked `data-signalpost`, those added later included, and shows a suggestion below a field that
 * its visitor has left. Every failure leaves the page as it is. Submissions are handled only of forms marked
 * `data-signalpost="challenge"`. Returns a function that ends it.
 */
export function watchForms({ baseUrl, key, texts }: FormSettings): () => void {
  const words = { ...english, ...texts };
  const url = `${baseUrl.replace(/\/+$/, '')}/v1/hints`;
  const regions = new WeakMap<HTMLInputElement, HTMLElement>();
  const lastValues = new WeakMap<HTMLInputElement, string>();
  const end = new AbortController();
  let pointerUp: Promise<unknown> = Promise.resolve();

  /** Screen readers announce changes of a region that was in the page before. */
  const regionOf = (input: HTMLInputElement): HTMLElement => {
    const known = regions.get(input);
    if (known?.isConnected) return known;
    const region = document.createElement('div');
    region.className = 'signalpost-hint';
    region.setAttribute('aria-live', 'polite');
    // Inside a label, its text would be part of the field's name.
    (input.closest('label') ?? input).after(region);
    regions.set(input, region);
    return region;
  };

  const check = async (input: HTMLInputElement): Promise<void> => {
    const email = input.value.trim();
    if (lastValues.get(input) === email) return;
    lastValues.set(input, email);
    const region = regionOf(input);
    region.replaceChildren();
    if (!/.@./.test(email)) return;
    const hint = await requestHint(url, key, email);
    // A region that grows between press and release moves the button away, and the click is lost.
    await pointerUp;
    if (lastValues.get(input) !== email) return;
    if (hint.did_you_mean !== null) suggest(input, region, hint.did_you_mean);
    else if (hint.disposable) region.replaceChildren(words.disposable);
  };

  const suggest = (input: HTMLInputElement, region: HTMLElement, email: string): void => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = words.accept;
    button.addEventListener('click', () => {
      lastValues.set(input, email);
      setValue(input, email);
      region.replaceChildren(...sentence(words.accepted, email));
      input.focus();
    });
    region.replaceChildren(...sentence(words.suggestion, email), ' ', button);
  };

  const listen = (name: string, handle: (input: HTMLInputElement) => void): void =>
    document.addEventListener(
      name,
      ({ target }) => {
        if (target instanceof HTMLInputElement && target.matches(watched)) handle(target);
      },
      { signal: end.signal },
    );
  listen('focusin', regionOf);
  listen('focusout', (input) => void check(input).catch(() => {}));
  listen('input', (input) => {
    if (lastValues.get(input) === input.value.trim()) return;
    lastValues.delete(input);
    regions.get(input)?.replaceChildren();
  });
  document.addEventListener('submit', (event) => completeSubmission(event, words.checking), { signal: end.signal });
  document.addEventListener(
    'pointerdown',
    () => {
      pointerUp = new Promise((resolve) => {
        const later = (): unknown => setTimeout(resolve, 50);
        for (const name of ['pointerup', 'pointercancel']) document.addEventListener(name, later, { once: true });
      });
    },
    { signal: end.signal },
  );
  return () => end.abort();
}

async function requestHint(url: string, key: string, email: string): Promise<Hint> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(answerTimeoutMs),
  });
  if (!response.ok) throw new Error(`${response.status}`);
  return response.json();
}

/** A sentence with the address isolated, so that it keeps its direction in right-to-left text. */
function sentence(text: string, email: string): (string | HTMLElement)[] {
  const [before = '', after = ''] = text.split('{email}');
  const address = document.createElement('bdi');
  address.dir = 'ltr';
  address.textContent = email;
  return [before, address, after];
}

/** Sets a field as a visitor would: libraries such as React replace the setter of an element to notice programs. */
function setValue(input: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
  for (const name of ['input', 'change']) input.dispatchEvent(new Event(name, { bubbles: true }));
}
