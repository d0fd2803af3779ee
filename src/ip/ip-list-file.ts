import { ipTextToBytes } from '../address/ip-text.ts';
import { yieldToEventLoop } from '../platform/yielding.ts';
import { collectRanges, countIpv4, type IpRanges, ipWords } from './ip-ranges.ts';

/** A line of a list that is neither an address nor a network. */
export interface WrongLine {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/** A list of addresses and networks, read. */
export interface IpList {
  readonly ranges: IpRanges;
  /** Lines that hold an address or a network. */
  readonly entries: number;
  readonly wrongLines: number;
  /** The first few of the wrong lines. */
  readonly examples: readonly WrongLine[];
  /** The first network that was left out because it is too wide. */
  readonly tooWide: string | null;
}

/** A network wider than this does not belong to one holder: it is a mistake that would flag a good part of the internet. */
const widestPrefix = { v4: 8, v6: 16 };
const maxEntries = 2_000_000;
const exampleCount = 3;
/** Yields the event loop after this many lines: about two milliseconds of work. */
const linesPerTurn = 500;

/**
 * Reads addresses and networks in CIDR notation, one per line; the rest after a blank, a comma, `#` or `;` is ignored.
 * That covers plain lists, Apple's relay ranges (`cidr,country,region,city`) and Spamhaus DROP in both its forms
 * (`cidr ; SBL123`, and one JSON object per line with `cidr` in it). Throws when the file as a whole cannot be trusted.
 */
export async function readIpList(bytes: Buffer): Promise<IpList> {
  // Only ASCII matters here: Latin-1 is the cheap way to it, and a byte order mark is three characters then.
  const text = bytes.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '');
  const collector = collectRanges();
  const examples: WrongLine[] = [];
  let entries = 0;
  let wrongLines = 0;
  let tooWide: string | null = null;
  let line = 0;
  for (let from = 0; from < text.length; ) {
    const lineEnd = text.indexOf('\n', from);
    const to = lineEnd < 0 ? text.length : lineEnd;
    line += 1;
    const entry = entryOf(text.slice(from, to));
    const network = entry === null ? null : networkOf(entry);
    if (network !== null && !isTooWide(network)) {
      collector.add(network.words, network.prefixLength);
      entries += 1;
    } else if (entry !== null) {
      wrongLines += 1;
      if (network !== null) tooWide ??= entry;
      if (examples.length < exampleCount) examples.push({ line, text: entry.slice(0, 80) });
    }
    if (entries > maxEntries) throw new Error(`more than ${maxEntries} entries`);
    if (line % linesPerTurn === 0) await yieldToEventLoop();
    from = to + 1;
  }
  refuseIfBad(entries, wrongLines, examples[0]);
  const ranges = collector.ranges();
  if (countIpv4(ranges) > 2 ** 31) throw new Error('covers more than half of all IPv4 addresses');
  return { ranges, entries, wrongLines, examples, tooWide };
}

/** A hand-written file may have a wrong line or two; an error page, another format or an empty file is rejected. */
function refuseIfBad(entries: number, wrongLines: number, first: WrongLine | undefined): void {
  if (first !== undefined && wrongLines > Math.max(3, entries / 10)) {
    throw new Error(`${wrongLines} wrong lines beside ${entries} right ones, first line ${first.line}: ${first.text}`);
  }
  // An empty list would turn "unknown" into "no" for every address.
  if (entries === 0) throw new Error('no address or network in it');
}

/** The address or network of a line, as text; null for a blank line and for a comment. */
function entryOf(line: string): string | null {
  if (line.startsWith('{')) return jsonEntry(line);
  const entry = /^\s*([^\s,;#]*)/.exec(line)?.[1] ?? '';
  return entry === '' ? null : entry;
}

function jsonEntry(line: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return line.trim();
  }
  const { cidr, type }: { cidr?: unknown; type?: unknown } = Object(value);
  if (typeof cidr === 'string') return cidr;
  return type === 'metadata' ? null : line.trim();
}

interface Network {
  readonly words: Uint32Array;
  readonly prefixLength: number;
}

function networkOf(text: string): Network | null {
  const slash = text.indexOf('/');
  const bytes = ipTextToBytes(slash < 0 ? text : text.slice(0, slash));
  if (bytes === null) return null;
  const bits = bytes.length * 8;
  const suffix = slash < 0 ? String(bits) : text.slice(slash + 1);
  if (!/^[0-9]{1,3}$/.test(suffix) || Number(suffix) > bits) return null;
  const words = ipWords(bytes);
  // ::ffff:0:0/96 carries IPv4 (RFC 4291 section 2.5.5.2), and lookups use the IPv4 address.
  const mapped = words.length === 4 && words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
  return mapped
    ? { words: words.subarray(3), prefixLength: Number(suffix) - 96 }
    : { words, prefixLength: Number(suffix) };
}

function isTooWide({ words, prefixLength }: Network): boolean {
  return prefixLength < (words.length === 1 ? widestPrefix.v4 : widestPrefix.v6);
}
