import { type IpAddress, isReserved } from '../address/ip.ts';
import type { Evidence } from '../reading.ts';
import { isHostingClass, isVpnNetwork, networkClass } from './ip-classes.ts';
import type { IpDataStatus } from './ip-data.ts';
import type { IpFolder, IpListName } from './ip-folder.ts';
import type { IpKnowledge } from './ip-knowledge.ts';
import { ipWords } from './ip-ranges.ts';
import { networkOf, placeOf } from './ip-records.ts';
import { ruleOfName } from './network-names.ts';

/** The reasons for the values of an IP address, by field (`geo.country`, `hosting.detected`). */
export type IpExplanation = Readonly<Record<string, readonly Evidence[]>>;

/** The inputs of an explanation. */
export interface ExplainedIp {
  readonly ip: IpAddress;
  readonly known: IpKnowledge;
  readonly folder: IpFolder;
  readonly status: IpDataStatus;
  /** The day of the edition that a file holds; null when it is unknown. */
  readonly editionOf: (file: string) => string | null;
}

/** The sources of each value of an IP address. An unknown field has no reasons. */
export function explainIp(given: ExplainedIp): IpExplanation {
  const { ip, known } = given;
  if (isReserved(ip)) return {};
  const geo = geoEvidence(given);
  const network = networkEvidence(given);
  const { type, asn } = known.network;
  const classVerdict = (verdict: boolean | null, isByClass: boolean, what: string): Evidence[] => {
    if (verdict === null) return [];
    const network = isByClass ? `a network of class ${type}` : 'this network';
    return [{ ...classEvidence(known), detail: `${network} is ${verdict ? '' : 'no '}${what}` }];
  };
  const vpn = classVerdict(isVpnNetwork(asn, type), isVpnNetwork(null, type) !== null, 'place of VPN exits');
  const all: Record<string, readonly Evidence[]> = {
    'abuse.detected': listEvidence(given, 'abuse'),
    'anonymity.proxy.detected': listEvidence(given, 'proxy'),
    'anonymity.relay.detected': listEvidence(given, 'relay'),
    'anonymity.tor.detected': listEvidence(given, 'tor'),
    'anonymity.vpn.detected': [...listEvidence(given, 'vpn'), ...vpn],
    'hosting.detected': [...listEvidence(given, 'hosting'), ...classVerdict(isHostingClass(type), true, 'hosting')],
    'geo.country': geo,
    'geo.country_code': geo,
    'geo.continent': geo,
    'geo.continent_code': geo,
    'geo.city': known.geo.city === null ? [] : geo,
    'network.asn': network,
    'network.aso': network,
    'network.domain': known.network.domain === null ? [] : network,
    'network.type': type === null ? [] : [classEvidence(known)],
  };
  return Object.fromEntries(Object.entries(all).filter(([, evidence]) => evidence.length > 0));
}

function listEvidence({ ip, folder, editionOf }: ExplainedIp, list: IpListName): Evidence[] {
  return folder.wordsOf(list, ipWords(ip.bytes)).map(({ file, isListed }) => ({
    source: file,
    detail: isListed ? 'lists the address' : 'does not list the address',
    ...dated(editionOf(file)),
  }));
}

function geoEvidence(given: ExplainedIp): Evidence[] {
  const { ip, known, folder, status } = given;
  if (known.geo.countryCode === null && known.geo.continentCode === null) return [];
  const isOwn = placeOf(folder.city(ip)).countryCode !== null;
  return [isOwn ? ofDatabase(given, 'city.mmdb') : ofPackage(status.country)];
}

function networkEvidence(given: ExplainedIp): Evidence[] {
  const { ip, known, folder, status } = given;
  if (known.network.asn === null) return [];
  const isOwn = networkOf(folder.asn(ip)).asn !== null;
  if (isOwn || status.networks === null) return [ofDatabase(given, 'asn.mmdb')];
  return [ofPackage(status.networks)];
}

function ofPackage({ source, version, attribution, date }: IpDataStatus['country']): Evidence {
  return { source, detail: `edition ${version} (${attribution})`, ...dated(date) };
}

function ofDatabase({ status, editionOf }: ExplainedIp, file: string): Evidence {
  const contents = status.files.find((each) => each.file === file)?.contents;
  const { builtAt = null, type = 'database' } = (contents ?? {}) as { builtAt?: string; type?: string };
  return { source: file, detail: type, ...dated(builtAt ?? editionOf(file)) };
}

/** The rule that gave the class: our table by number, or a word in the name. */
function classEvidence({ network: { asn, aso } }: IpKnowledge): Evidence {
  if (networkClass(asn) !== null)
    return { source: 'data/asn-classes.json', detail: 'classed by hand', entry: `AS${asn}` };
  // Its size was considered when the class was assigned.
  const rule = ruleOfName(aso ?? '', Number.POSITIVE_INFINITY);
  const detail = rule === null ? 'classed by its name' : `classed by the word "${rule.pattern}" in its name`;
  return { source: 'data/asn-words.json', detail, entry: aso ?? `AS${asn}` };
}

function dated(date: string | null): { date?: string } {
  return date === null ? {} : { date };
}
