import { setTimeout as sleep } from 'node:timers/promises';
import { parseAddress } from '../address/address.ts';
import { parseDomain } from '../address/domain.ts';
import { parseIp } from '../address/ip.ts';
import { normalizeAddress } from '../address/normalize.ts';
import type { Owner } from '../http/endpoint.ts';
import type { Hash } from './keyed-hash.ts';
import { type Erasable, eraseFrom, isPresent } from './observation.ts';
import { ObservationBlock, word, wordsEach } from './observation-block.ts';
import type { SubjectHashes } from './subject-hashes.ts';
import type { TrafficStore } from './traffic-store.ts';

/** The subject to erase: as entered, or a device by the keys that it has in an environment. */
export type ErasedSubject =
  | { readonly kind: 'email' | 'domain' | 'ip'; readonly text: string }
  | { readonly kind: 'device'; readonly keysOf: (owner: Owner) => readonly string[] };

/** Processes read of an erasure within this time; until then they write observations of the subject. */
const noticedMs = 2_000;

/** The name of the process in blocks that the command line writes. */
const commandLine = 'command line';

/** Removes a subject from the stored counts of its owners; a domain with the counts of its addresses. */
export async function eraseTraffic(
  store: TrafficStore,
  hashes: SubjectHashes,
  owners: readonly Owner[],
  subject: ErasedSubject,
  nowMs: number,
): Promise<void> {
  const what = subject.kind === 'email' ? 'address' : subject.kind;
  const erased = owners.flatMap((owner) => hashesOf(hashes, owner, subject));
  if (what === 'domain') await eraseHashes(store, 'address', await addressesAt(store, erased), nowMs);
  await eraseHashes(store, what, erased, nowMs);
}

/** A block of erasures makes running processes erase the subject from their counts. */
async function eraseHashes(store: TrafficStore, what: Erasable, erased: readonly Hash[], nowMs: number): Promise<void> {
  const placesIn = placesOf(what, erased);
  let affected = new ObservationBlock();
  // Even of a subject without stored counts processes may hold observations that are not written yet.
  for (const hash of erased) affected.setHash(affected.add() + word[what], hash);
  // The blocks that processes write before they read of the erasure are read afterwards.
  for (let through = 0; ; affected = new ObservationBlock()) {
    through = await eachBlock(store, through, async (no, body) => {
      if (placesIn(ObservationBlock.decode(body)).length === 0) return;
      await store.rewrite(no, (current) => {
        const block = ObservationBlock.decode(current);
        for (const place of placesIn(block)) {
          affected.copy(block, place);
          eraseFrom(block, place, what);
        }
        return { body: block.encode() };
      });
    });
    if (affected.length === 0) return;
    await store.add(commandLine, what, affected.encode(), nowMs);
    await sleep(noticedMs);
  }
}

/** The addresses that were counted at domains. */
async function addressesAt(store: TrafficStore, domains: readonly Hash[]): Promise<Hash[]> {
  const found = new Map<string, Hash>();
  const placesIn = placesOf('domain', domains);
  await eachBlock(store, 0, async (_no, body) => {
    const block = ObservationBlock.decode(body);
    for (const place of placesIn(block)) {
      const address = block.hash(place + word.address);
      if (isPresent(address)) found.set(textOf(address), address);
    }
  });
  return [...found.values()];
}

/** The places in a block that have one of these. */
function placesOf(what: Erasable, hashes: readonly Hash[]): (block: ObservationBlock) => number[] {
  const wanted = new Set(hashes.map(textOf));
  return (block) =>
    Array.from({ length: block.length }, (_, index) => index * wordsEach).filter((place) =>
      wanted.has(textOf(block.hash(place + word[what]))),
    );
}

const textOf = ({ hi, lo }: Hash): string => `${hi} ${lo}`;

/** Visits every block of counts after a number; returns the number of the last block. */
async function eachBlock(
  store: TrafficStore,
  afterNo: number,
  visit: (no: number, body: Uint8Array) => Promise<void>,
): Promise<number> {
  for (let through = afterNo; ; ) {
    const numbers = await store.after(through, commandLine);
    if (numbers.length === 0) return through;
    for (const { no, kind, body } of await store.read(numbers)) if (kind === 'counts') await visit(no, body);
    through = numbers.at(-1) ?? through;
  }
}

function hashesOf(hashes: SubjectHashes, owner: Owner, subject: ErasedSubject): readonly Hash[] {
  const key = hashes.ofOwner(owner);
  if (subject.kind === 'device') return subject.keysOf(owner).map((device) => hashes.of(key, device));
  return [hashOf(hashes, key, subject)].filter((hash) => hash !== null);
}

function hashOf(
  hashes: SubjectHashes,
  owner: Hash,
  { kind, text }: Exclude<ErasedSubject, { kind: 'device' }>,
): Hash | null {
  if (kind === 'email') {
    const address = parseAddress(text);
    return address === null ? null : hashes.of(owner, normalizeAddress(address));
  }
  if (kind === 'domain') {
    const domain = parseDomain(text);
    return domain === null ? null : hashes.of(owner, domain.ascii);
  }
  const ip = parseIp(text);
  return ip === null ? null : hashes.ofIp(owner, ip);
}
