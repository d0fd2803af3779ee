import { parseAddress } from '../address/address.ts';
import { parseDomain } from '../address/domain.ts';
import { parseIp } from '../address/ip.ts';
import { normalizeAddress } from '../address/normalize.ts';
import type { Owner } from '../http/endpoint.ts';
import type { Hash } from './keyed-hash.ts';
import { type Erasable, eraseFrom } from './observation.ts';
import { ObservationBlock, word, wordsEach } from './observation-block.ts';
import type { SubjectHashes } from './subject-hashes.ts';
import type { TrafficStore } from './traffic-store.ts';

/** The subject to erase, as entered. */
export interface ErasedSubject {
  readonly kind: 'email' | 'domain' | 'ip';
  readonly text: string;
}

/** The name of the process in blocks that the command line writes. */
const commandLine = 'command line';

/**
 * Removes a subject from the stored counts of its owners. A block of what was removed makes running processes remove it from theirs.
 */
export async function eraseTraffic(
  store: TrafficStore,
  hashes: SubjectHashes,
  owners: readonly Owner[],
  subject: ErasedSubject,
  nowMs: number,
): Promise<void> {
  const what = subject.kind === 'email' ? 'address' : subject.kind;
  const erased = owners.flatMap((owner) => hashOf(hashes, hashes.ofOwner(owner), subject) ?? []);
  const affected = new ObservationBlock();
  // Also without what they were counted with: processes may hold observations that are not written yet.
  for (const hash of erased) affected.setHash(affected.add() + word[what], hash);
  const placesIn = (block: ObservationBlock): number[] => {
    const places = Array.from({ length: block.length }, (_, index) => index * wordsEach);
    return places.filter((place) => {
      const { hi, lo } = block.hash(place + word[what]);
      return erased.some((hash) => hash.hi === hi && hash.lo === lo);
    });
  };
  for (let numbers = await store.after(0, commandLine); numbers.length > 0; ) {
    for (const { no, kind, body } of await store.read(numbers)) {
      if (kind !== 'counts' || placesIn(ObservationBlock.decode(body)).length === 0) continue;
      await store.rewrite(no, (current) => {
        const block = ObservationBlock.decode(current);
        for (const place of placesIn(block)) {
          affected.copy(block, place);
          eraseFrom(block, place, what);
        }
        return { body: block.encode() };
      });
    }
    numbers = await store.after(numbers.at(-1) ?? 0, commandLine);
  }
  if (affected.length > 0) await store.add(commandLine, what satisfies Erasable, affected.encode(), nowMs);
}

function hashOf(hashes: SubjectHashes, owner: Hash, { kind, text }: ErasedSubject): Hash | null {
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
