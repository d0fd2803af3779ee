import { errorMessage } from '../../error-message.ts';
import { type IpDatabase, openIpDatabase } from '../../ip/ip-database.ts';
import { type IpList, readIpList } from '../../ip/ip-list-file.ts';
import { Refusal } from './refresh-refusal.ts';

/** A publisher's list has fewer mistakes than one written by hand. */
const maxWrongShare = 0.05;

/** How many addresses and networks a list holds, read as the service will read it. */
export async function countAddresses(bytes: Buffer): Promise<number> {
  const { entries, wrongLines, tooWide } = await readList(bytes);
  // A mistake, or an attempt to flag a continent: the rest of such a list cannot be trusted either.
  if (tooWide !== null) throw new Refusal(`it lists ${tooWide}, which is far too wide`);
  const lines = entries + wrongLines;
  if (wrongLines > lines * maxWrongShare) {
    throw new Refusal(`${wrongLines} of ${lines} lines are not addresses or networks`);
  }
  return entries;
}

async function readList(bytes: Buffer): Promise<IpList> {
  try {
    return await readIpList(bytes);
  } catch (error) {
    throw new Refusal(`it is not a list of addresses: ${errorMessage(error)}`);
  }
}

/** A MaxMind database, opened as the service will open it. */
export function openDatabase(bytes: Buffer): IpDatabase {
  try {
    return openIpDatabase(bytes);
  } catch (error) {
    throw new Refusal(`it is not a MaxMind database: ${errorMessage(error)}`);
  }
}
