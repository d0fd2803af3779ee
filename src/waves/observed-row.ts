import type { Hash } from '../traffic/keyed-hash.ts';
import { isPresent, memberOf } from '../traffic/observation.ts';
import {
  actionOf,
  isCounted,
  madeAtMs,
  markCounted,
  type ObservationBlock,
  standingOf,
  word,
} from '../traffic/observation-block.ts';
import type { WaveKind } from './wave.ts';

const keyWords: Readonly<Record<WaveKind, number>> = {
  domain: word.domain,
  mail_server: word.mailServer,
  network: word.network,
  shape: word.shape,
};

/** A key in 53 bits, which a number holds exactly; 0 where the hash is absent. */
export function keyOf(hash: Hash): number {
  return isPresent(hash) ? (hash.hi & 0x1fffff) * 2 ** 32 + (hash.lo >>> 0) : 0;
}

/** Whether an observation is a row: its address was not erased, and its decision did not fail. */
export function isRow(block: ObservationBlock, place: number): boolean {
  return isPresent(block.hash(place + word.address)) && actionOf(block, place) !== 0;
}

/**
 * What the detection needs from one decision, as numbers; 0 is absent. It reads the block, which must not change meanwhile: with values of
 * their own, the rows of an hour would be most of what the garbage collector traces.
 */
export class ObservedRow {
  readonly #block: ObservationBlock;
  readonly #place: number;

  constructor(block: ObservationBlock, place: number) {
    this.#block = block;
    this.#place = place;
  }

  get atMs(): number {
    return madeAtMs(this.#block, this.#place);
  }

  get address(): number {
    return memberOf(this.#block.hash(this.#place + word.address));
  }

  get spelling(): number {
    return this.#block.get(this.#place + word.spelling);
  }

  get ip(): number {
    const ip = this.#block.hash(this.#place + word.ip);
    return isPresent(ip) ? memberOf(ip) : 0;
  }

  /** The registrable domain, whatever its standing. */
  get domain(): number {
    return keyOf(this.#block.hash(this.#place + word.domain));
  }

  get standing(): number {
    return standingOf(this.#block, this.#place);
  }

  get action(): number {
    return actionOf(this.#block, this.#place);
  }

  /** See `idEndText`. */
  get idEnd(): number {
    return this.#block.get(this.#place + word.idEnd);
  }

  /** Distinct addresses within a day at the domain, this one included. */
  get domainDay(): number {
    return this.#block.get(this.#place + word.domainDay);
  }

  /** Distinct addresses and domains within a day at the mail server, this one included. */
  get mailServerDay(): number {
    return this.#block.get(this.#place + word.mailServerDay);
  }

  get mailServerDomainsDay(): number {
    return this.#block.get(this.#place + word.mailServerDomainsDay);
  }

  /** The value that a wave of a kind would share. Public and established domains and their mail servers have none. */
  key(kind: WaveKind): number {
    const isExempt = (kind === 'domain' || kind === 'mail_server') && this.standing !== 0;
    return isExempt ? 0 : keyOf(this.#block.hash(this.#place + keyWords[kind]));
  }

  /** Whether a wave has counted it. */
  get isCounted(): boolean {
    return isCounted(this.#block, this.#place);
  }

  markCounted(): void {
    markCounted(this.#block, this.#place);
  }
}
