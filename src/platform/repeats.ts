/** Something that is told apart by a number; `nextMark` has one that nothing else has. */
export interface Marked {
  readonly mark: number;
}

let marks = 0;

export function nextMark(): number {
  // Marks only choose a place, so they may begin anew.
  marks = (marks + 1) | 0;
  return marks;
}

/** Told of a pair that was counted, and how often. */
export type OnCounted<One, Other> = (one: One, other: Other, times: number) => void;

const fewestPlaces = 1_024;
/** 65,536 are two megabytes. */
const mostPlaces = 65_536;
/** One, other and how often, and one to fill up: a pair is in one line of the processor's cache. */
const width = 4;
/**
 * Places beside each other, in any of which a pair may be. Of ten thousand pairs in 65,536 places, one in seven shares its place
 * with another, and one in 250 its four places with four others.
 */
const choices = 4;

/**
 * Counts pairs that repeat in a table with few places for each: a pair that comes again costs one look, where two maps inside
 * each other cost several that miss the processor's cache once ten thousand callers ask in turn. A pair that finds all its places
 * taken has the one handed over that came least often.
 */
export class Repeats<One extends Marked, Other extends Marked> {
  readonly #onCounted: OnCounted<One, Other>;
  #table: (One | Other | number | null)[] = emptyTable(fewestPlaces);
  /** Places in the table that have a pair. */
  #taken: number[] = [];
  /** Those of them that are to be handed over, by whoever comes to it first. */
  #leaving: number[] = [];

  constructor(onCounted: OnCounted<One, Other>) {
    this.#onCounted = onCounted;
  }

  /** Counts a pair; whether it is the first since it was last handed over. */
  count(one: One, other: Other): boolean {
    const first = this.#firstPlaceOf(one, other);
    const table = this.#table;
    for (let place = first; place < first + choices * width; place += width) {
      if (table[place] === one && table[place + 1] === other) {
        table[place + 2] = (table[place + 2] as number) + 1;
        return false;
      }
    }
    this.#enter(first, one, other);
    return true;
  }

  /**
   * Hands over the pairs that are there now, so many at a time; other pairs may be counted in between. At its end all of them are
   * handed over, also when two do this at once.
   */
  *settle(most: number): Generator<void> {
    this.#leaving = this.#leaving.concat(this.#taken);
    this.#taken = [];
    for (let count = 1; ; count += 1) {
      const place = this.#leaving.pop();
      if (place === undefined) return;
      this.#handOver(place);
      if (count % most === 0) yield;
    }
  }

  #enter(first: number, one: One, other: Other): void {
    const places = this.#table.length / width;
    if (this.#taken.length * 2 >= places && places < mostPlaces) {
      this.#grow(places * 4);
      this.#enter(this.#firstPlaceOf(one, other), one, other);
      return;
    }
    const place = this.#placeToTake(first);
    if (this.#table[place] === null) this.#taken.push(place);
    else this.#handOver(place);
    this.#table[place] = one;
    this.#table[place + 1] = other;
    this.#table[place + 2] = 1;
  }

  /** Begins anew with more places; somebody may be in the middle of handing over what the table has now. */
  #grow(places: number): void {
    for (let place = 0; place < this.#table.length; place += width) this.#handOver(place);
    this.#table = emptyTable(places);
    this.#taken = [];
    this.#leaving = [];
  }

  #handOver(place: number): void {
    const table = this.#table;
    const [one, other, times] = [table[place], table[place + 1], table[place + 2]];
    if (one === null) return;
    table[place] = null;
    table[place + 1] = null;
    this.#onCounted(one as One, other as Other, times as number);
  }

  /** The first that is empty, else the one whose pair came least often. */
  #placeToTake(first: number): number {
    let taken = first;
    for (let place = first; place < first + choices * width; place += width) {
      if (this.#table[place] === null) return place;
      if ((this.#table[place + 2] as number) < (this.#table[taken + 2] as number)) taken = place;
    }
    return taken;
  }

  #firstPlaceOf(one: One, other: Other): number {
    const hash = Math.imul(one.mark, 0x9e3779b1) ^ Math.imul(other.mark, 0x85ebca6b);
    return choices * width * ((hash ^ (hash >>> 15)) & (this.#table.length / (choices * width) - 1));
  }
}

function emptyTable(places: number): null[] {
  return new Array<null>(width * places).fill(null);
}
