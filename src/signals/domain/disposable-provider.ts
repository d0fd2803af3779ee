import { known, unknown } from '../../reading.ts';
import type { Signal } from '../signal.ts';
import { disposableByMail } from './disposable.ts';

/** The service behind a disposable domain: its primary domain, or an app store URL. */
export const disposableProvider: Signal<string> = {
  subject: 'domain',
  schema: { type: 'string' },
  about: 'The service that operates the disposable domain.',
  label: 'Disposable service',
  group: 'Domain · lists',
  from: 'lists, mail servers',
  pro: true,
  lookup: { name: 'disposable_provider', onlyWith: 'disposable' },
  gates: { name: 'disposable_provider' },
  read({ domain }, sources) {
    const { lists, facts } = sources;
    const isListed = lists.isListed('disposable', domain.ascii);
    if (!isListed && disposableByMail(domain.ascii, sources) === null) return unknown('not_applicable');
    const service = lists.disposableProvider(domain.ascii) ?? facts.disposableMx;
    return service === null ? unknown('no_data') : known(service);
  },
  why({ domain }, { lists, facts }) {
    const listed = lists.disposableProvider(domain.ascii);
    return listed === null
      ? [{ source: 'dns', detail: `its mail goes to ${facts.disposableMx}` }]
      : [{ source: 'lists', detail: `operated by ${listed}` }];
  },
};
