import { type Address, parseAddress } from '../src/address/address.ts';
import { normalizeAddress } from '../src/address/normalize.ts';
import { loadPeer, peerName } from './peer.ts';
import type { Row } from './row.ts';
import { seededRandom } from './seeded-random.ts';
import { freshText, timePerCall } from './time-per-call.ts';

interface Written {
  readonly text: string;
  readonly address: Address | null;
}

const domains = [
  'gmail.com',
  'googlemail.com',
  'outlook.com',
  'yahoo.com',
  'icloud.com',
  'Example.ORG',
  'mail.example.co.uk',
];

/** Time to bring an address to its normal form, ours beside validator's. */
export function normaliseRows(): Promise<Row[]> {
  const random = seededRandom(3);
  const texts = Array.from({ length: 10_000 }, () => {
    const tag = random.integer(3) === 0 ? `+${random.label(4)}` : '';
    return `${random.label(5)}.${random.label(6)}${tag}@${random.pick(domains)}`;
  });
  const validator = loadPeer<{ normalizeEmail(text: string): string | false }>('validator');
  const goal = '≤ 0.7 µs';
  return timePerCall<Written>(
    'normalise',
    [
      { name: `${peerName('validator')}, which does not validate`, call: ({ text }) => validator.normalizeEmail(text) },
      { name: 'Signalpost, address parsed before', call: ({ address }) => address && normalizeAddress(address), goal },
      {
        name: 'Signalpost, validated and parsed too',
        call: ({ text }) => {
          const address = parseAddress(text);
          return address && normalizeAddress(address);
        },
        goal,
      },
    ],
    () => texts.map(freshText).map((text) => ({ text, address: parseAddress(text) })),
  );
}
