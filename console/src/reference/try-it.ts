import { targetOf } from '../../../snippets/target.ts';
import type { Reader } from './fill.ts';

type Control = HTMLInputElement | HTMLSelectElement;

/** Forms that make the calls. The key is read from its field when a call is made, and stored nowhere else. */
export function showForms(root: URL, reader: Reader): void {
  const forms = [...document.querySelectorAll<HTMLFormElement>('form.try')];
  for (const form of forms) {
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void send(form, root, reader);
    });
  }
  const fillGate = (): void => {
    for (const form of forms)
      for (const control of controls(form))
        if (control.name === 'gate_id' && reader.gateId() !== '') control.value = reader.gateId();
  };
  reader.onChange(fillGate);
  fillGate();
}

async function send(form: HTMLFormElement, root: URL, reader: Reader): Promise<void> {
  const button = form.querySelector('button');
  const outcome = form.querySelector<HTMLElement>('.outcome');
  if (button === null || outcome === null) return;
  outcome.hidden = false;
  if (reader.key() === '') {
    outcome.textContent = 'Enter your key at the top of the page, and press Enter.';
    reader.askKey(() => {
      button.focus();
      void send(form, root, reader);
    });
    return;
  }
  button.disabled = true;
  outcome.textContent = 'Waiting…';
  const body = form.querySelector('textarea')?.value;
  const startedMs = performance.now();
  try {
    const response = await fetch(new URL(target(form).slice(1), root), {
      method: form.dataset.method ?? 'GET',
      headers: {
        authorization: `Bearer ${reader.key()}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
      cache: 'no-store',
      credentials: 'omit',
    });
    const text = await response.text();
    const tookMs = Math.round(performance.now() - startedMs);
    const id = response.headers.get('x-request-id');
    outcome.textContent = `${response.status} ${response.statusText}, ${tookMs} ms, request ${id}\n\n${readable(text)}`;
  } catch (error) {
    outcome.textContent = `The call failed: ${error instanceof Error ? error.message : error}`;
  } finally {
    button.disabled = false;
  }
}

const controls = (form: HTMLFormElement): Control[] => [...form.querySelectorAll<Control>('[data-in]')];

function target(form: HTMLFormElement): string {
  const entries = controls(form).map((control) => ({
    place: control.dataset.in,
    name: control.name,
    value: entered(control),
  }));
  const of = (place: string) =>
    Object.fromEntries(
      entries.flatMap((one) => (one.place === place && one.value !== '' ? [[one.name, one.value]] : [])),
    );
  return targetOf(form.dataset.path ?? '/', of('path'), of('query'));
}

/** A switch is sent when it differs from the default. */
function entered(control: Control): string {
  if (control.type !== 'checkbox') return control.value;
  const { checked } = control as HTMLInputElement;
  return String(checked) === control.dataset.default ? '' : String(checked);
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not JSON: an empty response, or one of a proxy in front.
    return text;
  }
}
