import { known, unknown } from '../../reading.ts';
import type { Signal } from '../signal.ts';

/** The domain that the user probably meant to type; for an address the whole corrected address. */
export const didYouMean: Signal<string> = {
  subject: 'domain',
  schema: { type: 'string' },
  names: 'name',
  about: 'The well-known domain this one looks like a misspelling of; unknown when there is none.',
  label: 'Probably meant',
  group: 'Domain · name',
  from: 'table of mail domains',
  lookup: { name: 'did_you_mean', column: 'fact' },
  gates: { name: 'did_you_mean' },
  read({ domain }, { lists }) {
    const suggestion = lists.suggest(domain.ascii);
    return suggestion === null ? unknown('not_applicable') : known(suggestion);
  },
  why: ({ domain }, { lists }) => [
    { source: 'typo-targets', detail: `a short distance from ${lists.suggest(domain.ascii)}` },
  ],
  forAddress: (ofDomain, { address }) => (ofDomain.known ? known(`${address?.localPart}@${ofDomain.value}`) : ofDomain),
};
