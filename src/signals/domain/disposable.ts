import type { DisposableMail } from '../../mail/disposable-mx.ts';
import { type Evidence, knownBoolean } from '../../reading.ts';
import { disposableAddress } from '../address/disposable-address.ts';
import type { Signal, Sources } from '../signal.ts';

/** The domain, or a parent of it, belongs to a disposable email service; an address is disposable by either. */
export const disposable: Signal<boolean> = {
  subject: 'domain',
  schema: { type: 'boolean' },
  about: 'The domain belongs to a disposable-email service.',
  label: 'Disposable',
  group: 'Domain · lists',
  from: 'lists, mail servers',
  lookup: { name: 'disposable', always: true, column: 'verdict' },
  gates: { name: 'disposable' },
  read: ({ domain }, sources) =>
    knownBoolean(
      sources.lists.isListed('disposable', domain.ascii) || disposableByMail(domain.ascii, sources) !== null,
    ),
  why({ domain }, sources) {
    const mail = disposableByMail(domain.ascii, sources);
    return [...(mail === null ? [] : [evidenceOf(mail)]), ...sources.lists.explain('disposable', domain.ascii)];
  },
  forAddress(ofDomain, subject, sources) {
    const own = disposableAddress.read(subject, sources);
    return own.known && own.value ? own : ofDomain;
  },
};

/**
 * The evidence that all mail of an unlisted domain goes to disposable services, which makes the domain disposable. Relays and
 * domains that the operator allows are exempt; trusted domains are exempt from facts learnt about a server.
 */
export function disposableByMail(name: string, { lists, facts }: Sources): DisposableMail | null {
  const { disposableMail } = facts;
  if (disposableMail === null || lists.isListed('disposable', name)) return null;
  const isExempt = disposableMail.isCertain
    ? lists.isListed('relay', name) || lists.isAllowed(name)
    : lists.isTrusted(name);
  return isExempt ? null : disposableMail;
}

function evidenceOf({ host, service, sharedBy }: DisposableMail): Evidence {
  const detail =
    service === null
      ? `shares mail server ${host} with ${sharedBy} listed domains`
      : `its mail goes to ${host}, a server of ${service}`;
  return { source: 'dns', detail };
}
