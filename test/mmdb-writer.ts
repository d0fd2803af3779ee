import { parseIp } from '../src/address/ip.ts';

/** A value of a record. Numbers are written as 32-bit unsigned integers. */
export type MmdbValue =
  | string
  | number
  | bigint
  | boolean
  | readonly MmdbValue[]
  | { readonly [key: string]: MmdbValue };

/** The content to write: networks in CIDR notation, none inside another, each with its record. */
export interface MmdbContents {
  readonly networks: readonly (readonly [network: string, record: MmdbValue])[];
  readonly ipVersion?: 4 | 6;
  readonly type?: string;
  readonly builtAtSeconds?: number;
}

/** A child of a node: another node, a record by its offset in the data section, or nothing. */
type Child = { readonly node: number } | { readonly data: number } | null;

const marker = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');

/** A file in the MaxMind DB format 2.0 with 24-bit records, as its specification describes it. */
export function writeMmdb({ networks, ipVersion = 6, type = 'Test', builtAtSeconds = 0 }: MmdbContents): Buffer {
  const nodes: [Child, Child][] = [[null, null]];
  const records: Buffer[] = [];
  let dataLength = 0;
  for (const [network, record] of networks) {
    const encoded = encode(record);
    insert(nodes, bitsOf(network, ipVersion), { data: dataLength });
    records.push(encoded);
    dataLength += encoded.length;
  }
  const tree = Buffer.alloc(nodes.length * 6);
  nodes.forEach((children, number) => {
    children.forEach((child, side) => {
      tree.writeUIntBE(pointer(child, nodes.length), number * 6 + side * 3, 3);
    });
  });
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: BigInt(builtAtSeconds),
    database_type: type,
    description: { en: type },
    ip_version: ipVersion,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 24,
  });
  return Buffer.concat([tree, Buffer.alloc(16), ...records, marker, metadata]);
}

function pointer(child: Child, nodeCount: number): number {
  if (child === null) return nodeCount;
  return 'node' in child ? child.node : nodeCount + 16 + child.data;
}

function insert(nodes: [Child, Child][], bits: readonly number[], leaf: Child): void {
  let at = 0;
  bits.forEach((bit, depth) => {
    const node = nodes[at] as [Child, Child];
    if (depth === bits.length - 1) {
      node[bit] = leaf;
      return;
    }
    const child = node[bit] ?? null;
    if (child !== null && 'node' in child) {
      at = child.node;
    } else {
      node[bit] = { node: nodes.length };
      at = nodes.length;
      nodes.push([null, null]);
    }
  });
}

function bitsOf(network: string, ipVersion: 4 | 6): number[] {
  const [address = '', length = ''] = network.split('/');
  const ip = parseIp(address);
  if (ip === null) throw new Error(`not a network: ${network}`);
  const bits = [...ip.bytes].flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((shift) => (byte >> shift) & 1));
  // IPv4 is at ::/96 in an IPv6 tree.
  const leading = ip.version === 4 && ipVersion === 6 ? new Array<number>(96).fill(0) : [];
  return [...leading, ...bits.slice(0, Number(length))];
}

function encode(value: MmdbValue): Buffer {
  if (typeof value === 'string') return field(2, Buffer.from(value));
  if (typeof value === 'number') return field(6, unsigned(BigInt(value)));
  if (typeof value === 'bigint') return field(9, unsigned(value));
  if (typeof value === 'boolean') return control(14, value ? 1 : 0);
  if (isList(value)) return Buffer.concat([control(11, value.length), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([control(7, entries.length), ...entries.flatMap(([key, item]) => [encode(key), encode(item)])]);
}

function isList(value: MmdbValue): value is readonly MmdbValue[] {
  return Array.isArray(value);
}

function unsigned(value: bigint): Buffer {
  const hex = value === 0n ? '' : value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

function field(type: number, payload: Buffer): Buffer {
  return Buffer.concat([control(type, payload.length), payload]);
}

/** The control byte: type in the upper three bits or, from 8 on, in an additional byte; sizes below 285 here. */
function control(type: number, size: number): Buffer {
  const sizeBits = Math.min(size, 29);
  const head = type < 8 ? [(type << 5) | sizeBits] : [sizeBits, type - 7];
  return Buffer.from(size < 29 ? head : [...head, size - 29]);
}
