import { byId } from './elements.ts';

/** The reader's input: kept in this page alone, and sent only with calls that the reader makes. */
export interface Reader {
  key(): string;
  gateId(): string;
  onChange(changed: () => void): void;
  /** Asks for the key; Enter in its field calls `then`. */
  askKey(then: () => void): void;
}

/** Shows the inputs for the reader's key and gate; a link from the console names the gate in `?gate=`. */
export function startFilling(): Reader {
  const form = byId('fill', HTMLFormElement);
  const key = byId('key', HTMLInputElement);
  const gate = byId('gate', HTMLInputElement);
  gate.value = new URLSearchParams(location.search).get('gate') ?? '';
  form.hidden = false;
  let waiting = (): void => {};
  form.addEventListener('submit', (event) => event.preventDefault());
  // A form of two fields without a button is not submitted by Enter.
  key.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && key.value.trim() !== '') waiting();
  });
  return {
    key: () => key.value.trim(),
    gateId: () => gate.value.trim(),
    onChange: (changed) => form.addEventListener('input', changed),
    askKey(then) {
      waiting = () => {
        waiting = () => {};
        then();
      };
      key.focus();
    },
  };
}
