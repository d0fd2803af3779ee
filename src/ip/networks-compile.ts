import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import words from '../../data/asn-words.json' with { type: 'json' };
import { packageFolder, packageVersion } from '../lists/sources/read-packages.ts';
import { curatedClasses } from './ip-classes.ts';
import { ruleOfName } from './network-names.ts';
import type { NetworkRanges, Networks } from './networks-file.ts';

/** The package with the networks of the world. */
export const networksPackage = '@ip-location-db/asn';

/** Changes when the rules of this file or the layout of the compiled file do. */
const rulesVersion = 3;
/** Fewer lines mean that the package changed its layout, or was tampered with. */
const minRanges = { v4: 100_000, v6: 20_000 };

/** A fingerprint of all inputs of the networks, cheap enough for every start. */
export function networksFingerprint(): string {
  const hash = createHash('sha256').update(`rules ${rulesVersion} ${packageVersion(networksPackage)}\n`);
  return hash.update(JSON.stringify([words, [...curatedClasses]])).digest('hex');
}

interface System {
  readonly name: string;
  ipv4Addresses: number;
}

interface Rows {
  readonly starts: number[];
  readonly ends: number[];
  readonly asns: number[];
}

/** Compiles the package's tables and our classes; about a second and two hundred megabytes, see `buildNetworks`. */
export function compileNetworks(): Networks {
  const folder = packageFolder(networksPackage);
  const systems = new Map<number, System>();
  const v4 = readTable(join(folder, 'asn-ipv4-num.csv'), 1, systems);
  const v6 = readTable(join(folder, 'asn-ipv6-num.csv'), 4, systems);
  if (v4.asns.length < minRanges.v4 || v6.asns.length < minRanges.v6)
    throw new Error(`${networksPackage} has ${v4.asns.length} and ${v6.asns.length} networks: another layout?`);
  const asns = Uint32Array.from(systems.keys()).sort();
  const places = new Map(Array.from(asns, (asn, place): [number, number] => [asn, place]));
  const ranges = (rows: Rows, width: 1 | 4): NetworkRanges => ({
    width,
    count: rows.asns.length,
    starts: Uint32Array.from(rows.starts),
    ends: Uint32Array.from(rows.ends),
    systems: Uint32Array.from(rows.asns, (asn) => places.get(asn) ?? 0),
  });
  return {
    fingerprint: networksFingerprint(),
    v4: ranges(v4, 1),
    v6: ranges(v6, 4),
    asns,
    ...described(asns, systems),
  };
}

function described(asns: Uint32Array, systems: ReadonlyMap<number, System>) {
  const classNames = [...new Set([...curatedClasses.values(), ...words.entries.map((entry) => entry.class)])];
  const classes = new Uint8Array(asns.length);
  const nameStarts = new Uint32Array(asns.length + 1);
  const texts: Buffer[] = [];
  let end = 0;
  asns.forEach((asn, place) => {
    const { name, ipv4Addresses } = systems.get(asn) as System;
    const kind = curatedClasses.get(asn) ?? ruleOfName(name, ipv4Addresses)?.class ?? null;
    classes[place] = kind === null ? 0 : classNames.indexOf(kind) + 1;
    const text = Buffer.from(name);
    texts.push(text);
    end += text.length;
    nameStarts[place + 1] = end;
  });
  return { classNames, classes, nameStarts, names: Buffer.concat(texts) };
}

const row = /^(\d+),(\d+),(\d+),(?:"((?:[^"]|"")*)"|([^\n]*))$/gm;

/** Lines of `first,last,asn,organisation`, ascending; addresses are decimal numbers. */
function readTable(path: string, width: 1 | 4, systems: Map<number, System>): Rows {
  const rows: Rows = { starts: [], ends: [], asns: [] };
  let last = -1n;
  for (const [, first = '', end = '', number = '', quoted, plain] of readFileSync(path, 'utf8').matchAll(row)) {
    const asn = Number(number);
    // Of overlapping networks the first is kept, so that one search finds it.
    if (BigInt(first) <= last) continue;
    last = BigInt(end);
    addAddress(rows.starts, BigInt(first), width);
    addAddress(rows.ends, last, width);
    rows.asns.push(asn);
    let system = systems.get(asn);
    if (system === undefined) {
      system = { name: (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(), ipv4Addresses: 0 };
      systems.set(asn, system);
    }
    if (width === 1) system.ipv4Addresses += Number(end) - Number(first) + 1;
  }
  return rows;
}

function addAddress(words: number[], address: bigint, width: 1 | 4): void {
  for (let shift = BigInt((width - 1) * 32); shift >= 0n; shift -= 32n) {
    words.push(Number((address >> shift) & 0xffffffffn));
  }
}
