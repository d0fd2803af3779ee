import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { openDatabase } from '../db/db.ts';
import type { Caller } from '../http/endpoint.ts';
import { createKnowledge, type Knowledge } from '../knowledge/feature.ts';
import { createLookup, type Lookup } from '../lookups/lookup.ts';
import { runFeatures } from './run-features.ts';

/** The part of the service that finds things out, without a server and without accounts: for commands and the library. */
export interface Engine {
  readonly knowledge: Knowledge;
  readonly lookup: Lookup;
  /** Writes learnt facts and closes the storage. */
  close(): Promise<void>;
}

/** Opens the lists, the facts and the network of a data directory, which a running server may share. */
export async function openEngine(config: Config, log: Logger): Promise<Engine> {
  const db = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir, secretKey: config.secretKey });
  try {
    const shared = { config, db, log, now: Date.now, monotonicMs: () => performance.now() };
    const knowledge = await createKnowledge(shared);
    const running = runFeatures(shared, [knowledge]);
    const { lists, facts } = knowledge;
    const blocklist = { has: () => false };
    return {
      knowledge,
      lookup: createLookup({ lists, facts, blocklist, now: Date.now, waitMaxMs: config.waitMaxMs }),
      async close() {
        await running.close();
        await db.close();
      },
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** The engine gives every signal, except those that belong to accounts. */
export const operator: Caller = {
  keyId: 'operator',
  accountId: 'operator',
  environment: 'production',
  plan: { id: 'operator', name: 'Operator', pro: true, credits: 0, rateLimit: 0, blocklistEntries: 0 },
  overage: false,
  accountName: 'Operator',
  accountEmail: '',
  accountCreatedAtMs: 0,
};
