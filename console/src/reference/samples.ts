import { languages } from '../../../snippets/languages.ts';
import type { Language, Service, SignUpDecision } from '../../../snippets/snippet.ts';
import { targetOf } from '../../../snippets/target.ts';
import { element, select } from './elements.ts';
import type { Reader } from './fill.ts';

/** The console's "Use it" offers the same languages, and remembers the choice under the same name. */
const rememberedLanguage = 'signalpost.language';

interface DescribedCall {
  readonly method: string;
  readonly path: string;
  readonly values: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Writes one sample with the current choices. */
type Write = (language: Language, service: Service) => string;

/** Offers every sample in every language, with the reader's key and gate. */
export function showSamples(root: URL, reader: Reader): void {
  const baseUrl = root.href.replace(/\/$/, '');
  const selects: HTMLSelectElement[] = [];
  const shown: (() => void)[] = [];
  const chosen = (): Language => {
    const name = remembered();
    const [first] = languages;
    const found = languages.find((one) => one.name === name) ?? first;
    if (found === undefined) throw new Error('there are no languages');
    return found;
  };
  const showAll = (): void => {
    for (const one of selects) one.value = chosen().name;
    for (const show of shown) show();
  };
  for (const sample of document.querySelectorAll<HTMLElement>('.sample')) {
    const code = sample.querySelector('code');
    if (code === null) continue;
    const names = Object.fromEntries(languages.map(({ name }) => [name, name]));
    const language = select('Language', names, chosen().name);
    language.addEventListener('change', () => {
      remember(language.value);
      showAll();
    });
    selects.push(language);
    const bar = element('div', { className: 'choices' }, language);
    const write = sample.dataset.decision ? decisionWriter(sample, reader, bar, showAll) : callWriter(sample, reader);
    shown.push(() => {
      code.textContent = write(chosen(), { baseUrl, key: reader.key() || null });
    });
    sample.prepend(bar);
  }
  shown.push(...plainBlocks(baseUrl, reader));
  reader.onChange(showAll);
  showAll();
}

function callWriter(sample: HTMLElement, reader: Reader): Write {
  const { method, path, values, query, body }: DescribedCall = JSON.parse(sample.dataset.call ?? '{}');
  return (language, service) => {
    const gateId = reader.gateId();
    const filled = gateId && values.gate_id ? { ...values, gate_id: gateId } : values;
    return language.call(service, {
      method,
      target: targetOf(path, filled, query),
      ...(body === undefined ? {} : { body }),
    });
  };
}

function decisionWriter(sample: HTMLElement, reader: Reader, bar: HTMLElement, changed: () => void): Write {
  const example: Pick<SignUpDecision, 'gateId' | 'email' | 'ip'> = JSON.parse(sample.dataset.decision ?? '{}');
  const failure = select('No answer', { allow: 'No answer: allow', block: 'No answer: block' }, 'allow');
  const challenge = select(
    'Challenge',
    { confirm: 'Challenge: confirm first', allow: 'Challenge: allow', block: 'Challenge: block' },
    'confirm',
  );
  bar.append(failure, challenge);
  for (const one of [failure, challenge]) one.addEventListener('change', changed);
  return (language, service) =>
    language.decide(service, {
      ...example,
      gateId: reader.gateId() || example.gateId,
      onFailure: failure.value as SignUpDecision['onFailure'],
      onChallenge: challenge.value as SignUpDecision['onChallenge'],
    });
}

/** Code outside samples, such as the commands of guides, with its placeholders filled in. */
function plainBlocks(baseUrl: string, reader: Reader): (() => void)[] {
  return [...document.querySelectorAll('.code code')]
    .filter((code) => code.closest('.sample') === null)
    .map((code) => {
      const original = code.textContent ?? '';
      return () => {
        code.textContent = original
          .replaceAll('http://127.0.0.1:8080', () => baseUrl)
          .replaceAll('sp_prd_…', (placeholder) => reader.key() || placeholder)
          .replaceAll('GATE_ID', (placeholder) => reader.gateId() || placeholder);
      };
    });
}

function remembered(): string | null {
  try {
    return localStorage.getItem(rememberedLanguage);
  } catch {
    return null; // Storage can be disabled.
  }
}

function remember(name: string): void {
  try {
    localStorage.setItem(rememberedLanguage, name);
  } catch {
    // Storage can be disabled: then the choice lasts as long as the page.
  }
}
