/** Address ranges of one IP version: sorted, disjoint and not adjacent. An address is `width` words of 32 bits. */
export interface Ranges {
  readonly width: 1 | 4;
  readonly count: number;
  readonly starts: Uint32Array;
  /** The last address of each range. */
  readonly ends: Uint32Array;
}

/** Ranges of both IP versions. */
export interface IpRanges {
  readonly v4: Ranges;
  readonly v6: Ranges;
}

/** Collects networks in any order, nested and repeated ones too. */
export interface RangeCollector {
  add(address: ArrayLike<number>, prefixLength: number): void;
  ranges(): IpRanges;
}

/** The words of an address of 4 or 16 octets. */
export function ipWords(bytes: Uint8Array): Uint32Array {
  const words = new Uint32Array(bytes.length >> 2);
  for (let i = 0; i < words.length; i += 1) {
    const at = i * 4;
    words[i] =
      ((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number);
  }
  return words;
}

/** Whether a range contains the address. */
export function coversIp({ v4, v6 }: IpRanges, address: Uint32Array): boolean {
  return findRange(address.length === 1 ? v4 : v6, address) >= 0;
}

/** The index of the range that contains an address; -1 without one. */
export function findRange({ width, count, starts, ends }: Ranges, address: Uint32Array): number {
  let from = 0;
  let to = count;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (compare(starts, middle * width, address, 0, width) <= 0) from = middle + 1;
    else to = middle;
  }
  return from > 0 && compare(address, 0, ends, (from - 1) * width, width) <= 0 ? from - 1 : -1;
}

/** The number of addresses in the IPv4 ranges. */
export function countIpv4({ v4 }: IpRanges): number {
  let sum = 0;
  for (let i = 0; i < v4.count; i += 1) sum += (v4.ends[i] as number) - (v4.starts[i] as number) + 1;
  return sum;
}

/** An empty collector. Bits of an address beyond its prefix are dropped. */
export function collectRanges(): RangeCollector {
  const v4 = { starts: [] as number[], ends: [] as number[] };
  const v6 = { starts: [] as number[], ends: [] as number[] };
  return {
    add(address, prefixLength) {
      const { starts, ends } = address.length === 1 ? v4 : v6;
      for (let i = 0; i < address.length; i += 1) {
        const bits = Math.min(Math.max(prefixLength - i * 32, 0), 32);
        // A shift by 32 is a shift by 0 in JavaScript.
        const hostBits = bits === 0 ? 0xffffffff : (1 << (32 - bits)) - 1;
        const word = address[i] as number;
        starts.push((word & ~hostBits) >>> 0);
        ends.push((word | hostBits) >>> 0);
      }
    },
    ranges: () => ({
      v4: merged(1, new Uint32Array(v4.starts), new Uint32Array(v4.ends)),
      v6: merged(4, new Uint32Array(v6.starts), new Uint32Array(v6.ends)),
    }),
  };
}

function compare(a: Uint32Array, atA: number, b: Uint32Array, atB: number, width: number): number {
  for (let i = 0; i < width; i += 1) {
    const difference = (a[atA + i] as number) - (b[atB + i] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

function copy(from: Uint32Array, at: number, to: Uint32Array, atTo: number, width: number): void {
  for (let i = 0; i < width; i += 1) to[atTo + i] = from[at + i] as number;
}

/** Adds one; false when there is no address after the last one. */
function increment(address: Uint32Array): boolean {
  for (let i = address.length - 1; i >= 0; i -= 1) {
    address[i] = (address[i] as number) + 1;
    if (address[i] !== 0) return true;
  }
  return false;
}

/** Sorts ranges by their start, and joins overlapping and adjacent ones. */
function merged(width: 1 | 4, starts: Uint32Array, ends: Uint32Array): Ranges {
  const order = orderOf(width, starts);
  const mergedStarts = new Uint32Array(starts.length);
  const mergedEnds = new Uint32Array(ends.length);
  const afterEnd = new Uint32Array(width);
  let count = 0;
  for (let i = 0; i < order.length; i += 1) {
    const at = (order[i] as number) * width;
    const last = (count - 1) * width;
    if (count > 0 && compare(starts, at, afterEnd, 0, width) <= 0) {
      if (compare(ends, at, mergedEnds, last, width) <= 0) continue;
      copy(ends, at, mergedEnds, last, width);
    } else {
      copy(starts, at, mergedStarts, count * width, width);
      copy(ends, at, mergedEnds, count * width, width);
      count += 1;
    }
    copy(ends, at, afterEnd, 0, width);
    // The remaining ranges start inside one that extends to the last address.
    if (!increment(afterEnd)) break;
  }
  const used = count * width;
  return { width, count, starts: mergedStarts.slice(0, used), ends: mergedEnds.slice(0, used) };
}

/** The ranges' indices in the order of their starts: a radix sort, 16 bits at a time from the least significant. */
function orderOf(width: 1 | 4, starts: Uint32Array): Uint32Array {
  const count = starts.length / width;
  let order = new Uint32Array(count);
  for (let i = 0; i < count; i += 1) order[i] = i;
  let next = new Uint32Array(count);
  const places = new Uint32Array(0x10001);
  for (let digit = width * 2 - 1; digit >= 0 && count > 1; digit -= 1) {
    const word = digit >> 1;
    const shift = digit % 2 === 0 ? 16 : 0;
    places.fill(0);
    for (let i = word; i < starts.length; i += width) {
      const after = (((starts[i] as number) >>> shift) & 0xffff) + 1;
      places[after] = (places[after] as number) + 1;
    }
    // The same digit everywhere, as in the lower half of most IPv6 networks: nothing to sort.
    if (places[(((starts[word] as number) >>> shift) & 0xffff) + 1] === count) continue;
    for (let i = 1; i < places.length; i += 1) places[i] = (places[i] as number) + (places[i - 1] as number);
    for (let i = 0; i < count; i += 1) {
      const at = order[i] as number;
      const value = ((starts[at * width + word] as number) >>> shift) & 0xffff;
      const place = places[value] as number;
      next[place] = at;
      places[value] = place + 1;
    }
    [order, next] = [next, order];
  }
  return order;
}
