import { decodeSections, encodeSections, type SectionFormat } from '../../files/section-file.ts';
import type { ListTable } from './list-table.ts';

/** One source as `lists status` shows it. */
export interface SourceStatus {
  readonly name: string;
  readonly version: string;
  readonly date: string | null;
  readonly count: number;
  readonly licence: string;
}

/** The first days on which sources had their names, as far as this installation recorded them. */
export interface FirstNamed {
  /** When recording began, ISO 8601. */
  readonly since: string;
  /** The sources by their bits. */
  readonly sources: readonly string[];
  /** By day and source, the names that were new, separated by blanks. */
  readonly added: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The metadata of a snapshot, and the small lists that need no table. */
export interface SnapshotHeader {
  readonly builtAt: string;
  /** Changes when a package, a file of data/ or a download changes. */
  readonly fingerprint: string;
  readonly sources: readonly SourceStatus[];
  readonly counts: Readonly<Record<string, number>>;
  /** Names of packages that were left out because strangers register under them. */
  readonly droppedSuffixes: readonly string[];
  /** Why a download was not used. */
  readonly refused: readonly string[];
  readonly providers: readonly string[];
  readonly roles: readonly string[];
  readonly roleWords: readonly string[];
  readonly rolePlaces: readonly string[];
  /** By source and name, the first and the last day it was seen (`2025-11-03..2026-02-17`). */
  readonly seen?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly firstNamed?: FirstNamed;
}

/** The compiled lists in memory. */
export interface Snapshot {
  readonly header: SnapshotHeader;
  readonly table: ListTable;
  readonly sizeBytes: number;
}

/** Changes with the sections below or the meaning of a flag: the snapshot is rebuilt. */
export const formatVersion = 4;

const format: SectionFormat<SnapshotHeader> = {
  name: 'a list snapshot',
  magic: 'SPLISTS\n',
  version: formatVersion,
};

export function encodeSnapshot(header: SnapshotHeader, table: ListTable): Uint8Array {
  const { slots, nameStarts, names, flags, sources, providers } = table;
  return encodeSections(format, header, [slots, nameStarts, names, flags, sources, providers]);
}

/** Reads a snapshot without copying its arrays; throws an error that says what is wrong with the bytes. */
export function decodeSnapshot(bytes: Uint8Array): Snapshot {
  const file = decodeSections(format, bytes);
  const { buffer, byteOffset, byteLength } = file.bytes(5);
  const table: ListTable = {
    slots: file.words(0),
    nameStarts: file.words(1),
    names: file.bytes(2),
    flags: file.words(3),
    sources: file.words(4),
    providers: new Uint16Array(buffer, byteOffset, byteLength / 2),
  };
  return { header: file.header, table, sizeBytes: bytes.byteLength };
}
