import { known, unknown } from './reading.ts';
import type { Signal } from './signal.ts';

/** The service behind a disposable domain. */
export const disposableProvider: Signal<string> = {
  name: 'disposable_provider',
  summary: 'The service that operates a disposable domain: its primary domain, or an app store URL',
  proOnly: true,
  read({ domain }, { lists }) {
    if (!lists.isDisposable(domain.ascii)) return unknown('not_applicable');
    const provider = lists.disposableProvider(domain.ascii);
    return provider === null ? unknown('no_data') : known(provider);
  },
};
