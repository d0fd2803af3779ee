import type { Domain } from '../../address/domain.ts';
import { known, unknown } from '../../reading.ts';
import type { GatesPlace, Signal } from '../signal.ts';

/** A part of the name, which rules see and lookups do not repeat. */
function part(gates: GatesPlace, label: string, about: string, of: (domain: Domain) => string | null): Signal<string> {
  return {
    subject: 'domain',
    schema: { type: 'string' },
    names: 'name',
    about,
    label,
    group: 'Domain · name',
    from: 'the name',
    gates,
    read({ domain }) {
      const text = of(domain);
      return text === null ? unknown('not_applicable') : known(text);
    },
  };
}

export const domainName = part(
  { name: 'name', always: true },
  'Domain',
  'The domain, lower case, in ASCII.',
  (domain) => domain.ascii,
);
export const registrable = part(
  { name: 'registrable' },
  'Registrable domain',
  'The registrable domain (example.co.uk).',
  (domain) => domain.registrable,
);
export const tld = part({ name: 'tld' }, 'TLD', 'The public suffix (co.uk).', (domain) => domain.tld);
export const sld = part(
  { name: 'sld' },
  'Name before the TLD',
  'The label before the public suffix.',
  (domain) => domain.sld,
);
export const subdomain = part(
  { name: 'subdomain' },
  'Subdomain',
  'The part before the registrable domain; unknown when there is none.',
  (domain) => domain.subdomain,
);
