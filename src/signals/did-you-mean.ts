import { known, unknown } from '../reading.ts';
import type { Signal } from './signal.ts';

/** The domain somebody probably meant to type. */
export const didYouMean: Signal<string> = {
  name: 'did_you_mean',
  summary: 'Suggested correction when the domain looks like a misspelling of a well-known one',
  read({ domain }, { lists }) {
    const suggestion = lists.suggest(domain.ascii);
    if (suggestion === null) return unknown('not_applicable');
    return known(suggestion, () => [{ source: 'typo-targets', detail: `a short distance from ${suggestion}` }]);
  },
};
