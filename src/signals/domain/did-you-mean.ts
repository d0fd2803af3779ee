import { known, unknown } from '../../reading.ts';
import type { Signal, Sources } from '../signal.ts';
import type { Subject } from '../subject.ts';

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
  read(subject, sources) {
    const suggestion = suggestionFor(subject, sources);
    return suggestion === null ? unknown('not_applicable') : known(suggestion);
  },
  why: (subject, sources) => [
    { source: 'typo-targets', detail: `a short distance from ${suggestionFor(subject, sources)}` },
  ],
  forAddress: (ofDomain, { address }) => (ofDomain.known ? known(`${address?.localPart}@${ofDomain.value}`) : ofDomain),
};

function suggestionFor({ domain }: Subject, { lists, facts: { mx } }: Sources): string | null {
  return lists.suggest(domain.ascii, mx.known && mx.value.length > 0);
}
