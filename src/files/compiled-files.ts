import { join } from 'node:path';

/** The compiled domain lists of a data directory. */
export const snapshotFile = (dataDir: string): string => join(dataDir, 'lists', 'snapshot.bin');

/** The compiled networks of a data directory. */
export const networksFile = (dataDir: string): string => join(dataDir, 'lists', 'networks.bin');
