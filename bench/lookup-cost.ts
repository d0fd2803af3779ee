import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DatabaseOptions } from '../src/db/db.ts';
import { inject } from '../test/inject.ts';
import { realClock, type StartedApp, startApp } from '../test/start-app.ts';
import { promoteLiveObjects } from './collect-garbage.ts';
import { paced } from './pace.ts';
import { median } from './time-per-call.ts';

/** One kind of lookup: of which service, with which key, of which domain. */
export interface LookupKind {
  readonly started: StartedApp;
  /** The key and the domain of the n-th call. */
  readonly ask: (call: number) => { readonly key: string; readonly domain: string };
}

const calls = paced(1_500, 300);
const rounds = paced(7, 3);

/** The whole service in this process. */
export function startForLookups(database: DatabaseOptions): Promise<StartedApp> {
  return startApp({}, { database, clock: realClock() });
}

/** Makes a lookup through the whole HTTP stack. */
export async function lookUp({ started, ask }: LookupKind, call: number): Promise<void> {
  const { key, domain } = ask(call);
  const { status, text } = await inject(started.app.server, { method: 'GET', path: `/domain/${domain}`, key });
  if (status !== 200) throw new Error(text);
  // Without a port nothing makes the loop turn, and what is to be written would wait until the end.
  await nextTurn();
}

/** Microseconds of this thread's processor time a lookup of each kind, in turns, the median of the rounds. */
export async function lookupCosts(kinds: readonly LookupKind[]): Promise<number[]> {
  const costs = kinds.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    // Every other round the other way round: what one kind leaves behind must not always fall on the same next one.
    const order = round % 2 === 0 ? [...kinds.entries()] : [...kinds.entries()].reverse();
    for (const [index, kind] of order) {
      promoteLiveObjects();
      const before = process.threadCpuUsage();
      for (let call = 0; call < calls; call += 1) await lookUp(kind, round * calls + call);
      const { user, system } = process.threadCpuUsage(before);
      // The first round warms up.
      if (round > 0) costs[index]?.push((user + system) / calls);
    }
  }
  return costs.map(median);
}
