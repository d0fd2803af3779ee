import { join } from 'node:path';
import { type IpAddress, isReserved } from '../address/ip.ts';
import type { ListLog } from '../lists/snapshot/kept-snapshot.ts';
import { isHostingClass, isVpnNetwork, networkClass } from './ip-classes.ts';
import { continentName, continentOf, countryName } from './ip-countries.ts';
import { type CountryPackage, openCountryPackage } from './ip-country-package.ts';
import { explainIp, type IpExplanation } from './ip-explain.ts';
import type { IpFileStatus } from './ip-file.ts';
import { openIpFolder, type RecordOf } from './ip-folder.ts';
import { detection, type IpKnowledge, unknownIp } from './ip-knowledge.ts';
import { ipWords } from './ip-ranges.ts';
import { networkOf, placeOf } from './ip-records.ts';
import type { NetworkPackage } from './network-package.ts';

/** The IP data in use, for `lists status`. */
export interface IpDataStatus {
  readonly country: Omit<CountryPackage, 'find'>;
  /** Null where the networks of the package are not in use. */
  readonly networks: NetworkPackage['status'] | null;
  readonly files: readonly IpFileStatus[];
}

/** The open sources of IP data. */
export interface IpData {
  /** Never fails: an unavailable value is unknown. */
  read(ip: IpAddress): IpKnowledge;
  /** The sources of the result of `read`, with the dates of their editions. */
  explain(ip: IpAddress): IpExplanation;
  /** Resolves when the files present at the start have been read; until then their values are unknown. */
  readonly loaded: Promise<void>;
  status(): IpDataStatus;
  /** Loads changed files, once the files present at the start are loaded. */
  poll(): Promise<void>;
  /** Stops building the networks; resolves when loading has ended. */
  close(): Promise<void>;
}

export interface IpDataOptions {
  readonly dataDir: string;
  readonly log: ListLog;
  readonly now: () => number;
  /** The networks known without a file of the operator's. */
  readonly networks?: NetworkPackage;
  /** The day of the edition that a file of IP data holds; null when it is unknown. */
  readonly editionOf?: (file: string) => string | null;
}

/** Opens the country package and the files in `lists/ip` of the data directory, each of which may be absent. */
export function openIpData(options: IpDataOptions): IpData {
  const { dataDir, log, now, networks, editionOf = () => null } = options;
  const folder = openIpFolder({ folder: join(dataDir, 'lists', 'ip'), log, now });
  const { find: findCountry, ...country } = openCountryPackage(log);
  const refresh = async (): Promise<void> => {
    for (const file of folder.files) await file.refresh();
  };
  const loaded = Promise.all([refresh(), networks?.ready]).then(() => {});

  const read = (ip: IpAddress): IpKnowledge => {
    if (isReserved(ip)) return unknownIp(ip.text);
    const words = ipWords(ip.bytes);
    const own = networkOf(folder.asn(ip));
    const network = own.asn === null ? (networks?.find(words) ?? own) : own;
    const type = network.asn === null ? null : (networkClass(network.asn) ?? networks?.classOf(network.asn) ?? null);
    const { abuse, proxy, relay, tor, vpn, hosting } = folder.lists;
    const isRelay = relay(words);
    // Publishers count the addresses of privacy relays among those of VPNs.
    const ofLists = detection(vpn(words), isRelay === true ? null : folder.publishedVpn(words));
    return {
      address: ip.text,
      abuse: detection(abuse(words), null),
      anonymity: {
        proxy: detection(proxy(words), null),
        relay: detection(isRelay, null),
        tor: detection(tor(words), null),
        vpn: detection(ofLists.detected, isVpnNetwork(network.asn, type)),
      },
      hosting: detection(hosting(words), isHostingClass(type)),
      geo: geoOf(ip, folder.city, findCountry),
      network: { ...network, type },
    };
  };
  const status = (): IpDataStatus => ({
    country,
    networks: networks?.status ?? null,
    files: folder.files.map((file) => file.status()),
  });
  return {
    read,
    explain: (ip) => explainIp({ ip, known: read(ip), folder, status: status(), editionOf }),
    loaded,
    status,
    poll: () => loaded.then(refresh),
    async close() {
      networks?.close();
      await loaded;
    },
  };
}

function geoOf(ip: IpAddress, findCity: RecordOf, findCountry: RecordOf): IpKnowledge['geo'] {
  const place = placeOf(findCity(ip));
  const countryCode = place.countryCode ?? placeOf(findCountry(ip)).countryCode;
  const continentCode = countryCode === null ? place.continentCode : continentOf(countryCode);
  return {
    country: countryCode === null ? null : countryName(countryCode),
    countryCode,
    continent: continentCode === null ? null : continentName(continentCode),
    continentCode,
    city: place.city,
  };
}
