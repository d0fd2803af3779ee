import type { WaveAbout } from './wave-about.ts';

/** The facts about a value for the text of its kind. */
export type AboutFacts = Omit<WaveAbout, 'text'> & {
  readonly country: string | null;
  readonly isPublic: boolean | null;
};

/** The most names in a sentence. */
export const maxShown = 3;

/** The known facts about a domain, as parts of a sentence. */
export function domainFacts({ ageDays, mailServers, isRelay, isDisposable, isPublic }: AboutFacts): (string | null)[] {
  return [
    isRelay ? 'a relay service, whose addresses hide those of people' : null,
    isDisposable ? 'a disposable mail service' : null,
    isPublic ? 'a public mail service' : null,
    ageDays === null ? null : ageDays === 0 ? 'registered today' : `registered ${days(ageDays)} ago`,
    mailServers === null ? null : mailServers.length === 0 ? 'without mail servers' : `mail at ${some(mailServers)}`,
  ];
}

const days = (count: number): string => {
  if (count >= 730) return `${Math.floor(count / 365)} years`;
  return count === 1 ? '1 day' : `${count} days`;
};

/** Some domains after these words; nothing without one. */
export const atDomains = (domains: readonly string[], how: string): string =>
  domains.length === 0 ? '' : `${how} ${some(domains)}`;

/** Some of them, with a word for the others. */
function some(names: readonly string[]): string {
  const shown = names.slice(0, maxShown);
  const last = shown.length > 1 ? ` and ${shown.at(-1)}` : '';
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')}${last}` : (shown[0] ?? '');
}

/** The known parts as one sentence. */
export function sentence(parts: readonly (string | null)[], example: string | null): string {
  const text = parts.filter((part) => part !== null).join(', ');
  if (text === '') return '';
  return `${text[0]?.toUpperCase()}${text.slice(1)}${example === null ? '' : `, such as ${example}`}.`;
}
