import type { Hash } from '../../traffic/keyed-hash.ts';
import { isPresent, memberOf, trait } from '../../traffic/observation.ts';
import { actionOf, madeAtMs, type ObservationBlock, traitsOf, word } from '../../traffic/observation-block.ts';

/** A key in 53 bits, which a number holds exactly; 0 where the hash is absent. */
export function keyOf(hash: Hash): number {
  return keyOfWords(hash.hi, hash.lo);
}

function keyOfWords(hi: number, lo: number): number {
  return (hi & 0x1fffff) * 2 ** 32 + (lo >>> 0);
}

/** Whether an observation is a row: its address was not erased, and its decision did not fail. */
export function isRow(block: ObservationBlock, place: number): boolean {
  return isPresent(block.hash(place + word.address)) && actionOf(block, place) !== 0;
}

const privateTraits = trait.public | trait.relay | trait.established;

/**
 * One decision, for the detection, as numbers; 0 is absent. It reads the block, which must not change meanwhile: if rows had copies of
 * these values, the rows of a day would be most of the garbage collector's work. `moveTo` turns it into another row.
 */
export class ObservedRow {
  readonly #block: ObservationBlock;
  #place: number;

  constructor(block: ObservationBlock, place: number) {
    this.#block = block;
    this.#place = place;
  }

  moveTo(place: number): void {
    this.#place = place;
  }

  get place(): number {
    return this.#place;
  }

  get atMs(): number {
    return madeAtMs(this.#block, this.#place);
  }

  /** The normalised address. */
  get mailbox(): number {
    return this.#key(word.address);
  }

  get spelling(): number {
    return this.#block.get(this.#place + word.spelling);
  }

  get ip(): number {
    const ip = this.#block.hash(this.#place + word.ip);
    return isPresent(ip) ? memberOf(ip) : 0;
  }

  /** The registrable domain, whatever its traits. */
  get domain(): number {
    return this.#key(word.domain);
  }

  get mailServer(): number {
    return this.#key(word.mailServer);
  }

  get network(): number {
    return this.#key(word.network);
  }

  get wideNetwork(): number {
    return this.#block.get(this.#place + word.wideNetwork) >>> 0;
  }

  get asn(): number {
    return this.#block.get(this.#place + word.asn) >>> 0;
  }

  get shape(): number {
    return this.#key(word.shape);
  }

  get device(): number {
    return this.#key(word.device);
  }

  /** Neither a public mail service, nor a relay service, nor an established domain. */
  get isPrivate(): boolean {
    return (traitsOf(this.#block, this.#place) & privateTraits) === 0;
  }

  /** An established domain that is neither a public mail service nor a relay service. */
  get isEstablishedOnly(): boolean {
    return (traitsOf(this.#block, this.#place) & privateTraits) === trait.established;
  }

  /** The environment first saw the domain today or yesterday. */
  get isFresh(): boolean {
    return (traitsOf(this.#block, this.#place) & trait.fresh) !== 0;
  }

  get action(): number {
    return actionOf(this.#block, this.#place);
  }

  /** See `idEndText`. */
  get idEnd(): number {
    return this.#block.get(this.#place + word.idEnd);
  }

  /** The number of the wave that has counted it; 0 without one. Only the detector's own copy has it, in place of `decision`. */
  get wave(): number {
    return this.#block.get(this.#place + word.decision);
  }

  set wave(number: number) {
    this.#block.set(this.#place + word.decision, number);
  }

  #key(at: number): number {
    return keyOfWords(this.#block.get(this.#place + at), this.#block.get(this.#place + at + 1));
  }
}
