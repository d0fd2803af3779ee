import { readPackage } from '../../src/lists/sources/read-packages.ts';
import { packageSources } from '../../src/lists/sources/source-catalogue.ts';
import { loadPeer, peerName } from '../peer.ts';

/** A library's answer about a domain, and about an address on it. */
export type Answer = (domain: string, address: string) => unknown;

/** The libraries that detect disposable domains, called as their documentation says. */
export function disposablePeers(): Record<string, Answer> {
  const plain = loadPeer<{ disposableEmailBlocklistSet(): ReadonlySet<string> }>('disposable-email-domains-js');
  const names = plain.disposableEmailBlocklistSet();
  const mailchecker = loadPeer<{ isValid(address: string): boolean }>('mailchecker');
  const burner = loadPeer<{ isBurner(address: string): boolean }>('is-burner-email');
  return {
    [peerName('is-burner-email')]: (_, address) => burner.isBurner(address),
    [peerName('mailchecker')]: (_, address) => !mailchecker.isValid(address),
    [peerName('disposable-email-domains-js')]: (domain) => names.has(domain),
  };
}

/** Lists that come without a function: a name counts with its subdomains, as their documentation says. */
export function disposableLists(): Record<string, Answer> {
  const unmaintained = new Set(loadPeer<readonly string[]>('disposable-email-domains'));
  const source = packageSources.find(({ name }) => name === 'disposable-domains');
  if (source === undefined) throw new Error('disposable-domains is no source any more');
  const { names, version } = readPackage(source);
  const suffixes = new Set(names);
  return {
    [`disposable-domains ${version}`]: (domain) => parentsOf(domain).some((name) => suffixes.has(name)),
    [peerName('disposable-email-domains')]: (domain) => unmaintained.has(domain),
  };
}

function parentsOf(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_, from) => labels.slice(from).join('.'));
}
