import { joined } from './evidence.ts';
import { counted } from './numbers.ts';
import { sourceName } from './sources.ts';

/** A list source's statement about a domain. */
export interface Naming {
  readonly source: string;
  readonly says: 'disposable' | 'public' | 'relay' | 'free_subdomain' | 'spam' | 'allowed';
  readonly entry: string;
  readonly date: string | null;
}

/** The titles of sources' statements. */
export const sayings: Readonly<Record<Naming['says'], string>> = {
  disposable: 'Disposable',
  public: 'Public mail service',
  relay: 'Relay',
  free_subdomain: 'Free subdomains',
  spam: 'Spam',
  allowed: 'Allowed',
};

const signals: Readonly<Record<string, Naming['says']>> = {
  'domain.disposable': 'disposable',
  'domain.public_domain': 'public',
  'domain.relay_domain': 'relay',
  'domain.free_subdomain': 'free_subdomain',
  'domain.spam': 'spam',
};

/** How many lists are behind a signal, and what overruled them; null for a signal of no list, and where none said anything. */
export function listsBehind(path: string, value: unknown, namedBy: readonly Naming[] | null): string | null {
  const says = signals[path];
  if (says === undefined || namedBy === null || typeof value !== 'boolean') return null;
  const names = (wanted: Naming['says']) => [
    ...new Set(namedBy.filter((one) => one.says === wanted).map(({ source }) => sourceName(source))),
  ];
  const votes = names(says);
  const listed = `on ${counted(votes.length, 'list')}`;
  if (value) return votes.length > 0 ? listed : withoutList(says);
  if (votes.length === 0) return null;
  const allowing = names('allowed');
  if (allowing.length > 0) return `${listed}, but ${joined(allowing)} ${allowing.length === 1 ? 'allows' : 'allow'} it`;
  if (says === 'disposable' && names('relay').length > 0) return `${listed}, but it is a relay`;
  return `${listed}, which is not enough`;
}

function withoutList(says: Naming['says']): string | null {
  if (says === 'disposable') return 'on no list: its mail servers belong to a disposable service';
  return says === 'spam' ? 'by a DNS blocklist' : null;
}
