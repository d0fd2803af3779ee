import { parseAddress } from '../address/address.ts';
import { parseDomain } from '../address/domain.ts';
import { parseIp } from '../address/ip.ts';
import { normalizeAddress } from '../address/normalize.ts';
import type { Owner } from '../http/endpoint.ts';
import type { Hash } from './keyed-hash.ts';
import { type Erasable, nothingSeen, type Observation, withoutErased } from './observation.ts';
import { decodeObservations, encodeObservations } from './observation-block.ts';
import type { SubjectHashes } from './subject-hashes.ts';
import type { TrafficStore } from './traffic-store.ts';

/** What to erase, as it was given. */
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
  // Also without what they were counted with: processes may hold observations that are not written yet.
  const affected: Observation[] = erased.map((hash) => ({ ...nothingSeen, [what]: hash }));
  const isErased = (seen: Observation): boolean =>
    erased.some(({ hi, lo }) => seen[what].hi === hi && seen[what].lo === lo);
  for (let numbers = await store.after(0, commandLine); numbers.length > 0; ) {
    for (const { no, kind, body } of await store.read(numbers)) {
      if (kind !== 'counts' || !decodeObservations(body).some(isErased)) continue;
      await store.rewrite(no, (current) => {
        const all = decodeObservations(current);
        affected.push(...all.filter(isErased));
        return { body: encodeObservations(all.map((seen) => (isErased(seen) ? withoutErased(seen, what) : seen))) };
      });
    }
    numbers = await store.after(numbers.at(-1) ?? 0, commandLine);
  }
  if (affected.length > 0) await store.add(commandLine, what satisfies Erasable, encodeObservations(affected), nowMs);
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
