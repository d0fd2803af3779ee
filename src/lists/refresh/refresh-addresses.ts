import { isIP } from 'node:net';
import { Reader } from 'mmdb-lib';
import { errorMessage } from '../../error-message.ts';
import { Refusal } from './refresh-refusal.ts';

/** More of a list than this must be addresses. */
const mostWrong = 0.05;
/** No publisher lists a wider network: a shorter prefix is a mistake, or poison that would flag a continent. */
const shortestPrefix = { 4: 8, 6: 16 } as const;

/** The count of addresses and networks in a list: one a line, first column, `#` and `;` start a comment. */
export function countAddresses(text: string): number {
  let count = 0;
  let wrong = 0;
  for (const line of text.split('\n')) {
    const entry = line
      .replace(/[#;].*$/, '')
      .split(',', 1)[0]
      ?.trim();
    if (entry === undefined || entry === '') continue;
    if (isNetwork(entry)) count += 1;
    else wrong += 1;
  }
  if (count === 0) throw new Refusal('it has no addresses');
  if (wrong > (count + wrong) * mostWrong) {
    throw new Refusal(`${wrong} of ${count + wrong} lines are no addresses or networks`);
  }
  return count;
}

function isNetwork(entry: string): boolean {
  const [address = '', bits] = entry.split('/', 2);
  const version = isIP(address);
  if (version !== 4 && version !== 6) return false;
  if (bits === undefined) return true;
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > (version === 4 ? 32 : 128)) return false;
  if (Number(bits) < shortestPrefix[version]) throw new Refusal(`it lists ${entry}, which is far too wide`);
  return true;
}

/** How many nodes a MaxMind database has; anything else is refused. */
export function countNodes(bytes: Buffer): number {
  try {
    const { nodeCount } = new Reader(bytes).metadata;
    if (nodeCount > 0) return nodeCount;
  } catch (error) {
    throw new Refusal(`it is no MaxMind database: ${errorMessage(error)}`);
  }
  throw new Refusal('it is an empty database');
}
