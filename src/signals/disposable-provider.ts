import { known, unknown } from '../reading.ts';
import type { Signal } from './signal.ts';

/** The service behind a disposable domain. */
export const disposableProvider: Signal<string> = {
  name: 'disposable_provider',
  summary: 'The service that operates a disposable domain: its primary domain, or an app store URL',
  proOnly: true,
  read({ domain }, { lists, facts }) {
    if (!lists.isDisposable(domain.ascii)) return unknown('not_applicable');
    const listed = lists.disposableProvider(domain.ascii);
    if (listed !== null) return known(listed, () => [{ source: 'lists', detail: `operated by ${listed}` }]);
    const { disposableMx } = facts;
    if (disposableMx === null) return unknown('no_data');
    return known(disposableMx, () => [{ source: 'dns', detail: `its mail goes to ${disposableMx}` }]);
  },
};
