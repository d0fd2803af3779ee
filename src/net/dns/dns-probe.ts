import { randomBytes } from 'node:crypto';
import { exchange } from './dns-exchange.ts';
import { denies } from './dns-interpretation.ts';
import type { AskedQuestion } from './dns-question.ts';
import type { ServerAddress } from './dns-servers.ts';

/** The behaviour of a server in a probe; `silent` when too few responses arrived. */
export type ProbeResult = 'sane' | 'denying' | 'inventing' | 'silent';

/** The names that a probe queries. */
export interface ProbeOptions {
  readonly mustExist: readonly string[];
  /** Names of `mustExist` for which the server had records before: it lies when it denies one of them. The probe adds to it. */
  readonly known: Set<string>;
  /** Whether random names, which cannot be registered, are queried too. The server must fetch their denial over the internet. */
  readonly withMadeUp: boolean;
}

const madeUpNames = 2;

/**
 * Queries names that must exist, and names that cannot exist. A server that denies two thirds of the first, or one that it had
 * before, denies; a server that has records for one of the second invents. Ends with the first lie, else with the last response:
 * servers behind one address may not all lie.
 */
export async function probeServer(
  server: ServerAddress,
  { mustExist, known, withMadeUp }: ProbeOptions,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const enough = Math.ceil((2 * mustExist.length) / 3);
  const ended = new AbortController();
  const within = AbortSignal.any([signal, ended.signal]);
  const { promise: lie, resolve: findLie } = Promise.withResolvers<ProbeResult>();
  let found = 0;
  let denied = 0;
  let unmade = 0;

  async function lookFor(name: string): Promise<void> {
    const isThere = await exists(server, name, within);
    if (isThere === null) return;
    if (isThere) {
      found++;
      known.add(name);
    } else if (++denied >= enough || known.has(name)) {
      findLie('denying');
    }
  }
  async function lookForMadeUp(name: string): Promise<void> {
    const isThere = await has(server, name, within);
    if (isThere) findLie('inventing');
    if (isThere === false) unmade++;
  }

  const topLevel = mustExist[0]?.split('.').at(-1);
  const madeUp = Array.from({ length: withMadeUp ? madeUpNames : 0 }, () => randomBytes(12).toString('hex'));
  const all = Promise.all([...mustExist.map(lookFor), ...madeUp.map((name) => lookForMadeUp(`${name}.${topLevel}`))]);
  const isSane = () => found >= enough && (!withMadeUp || unmade > 0);
  const result = await Promise.race([lie, all.then(() => (isSane() ? 'sane' : 'silent'))]);
  ended.abort();
  return result;
}

/** Whether a name exists: as a zone, as it should, or with an address. Null without an answer. */
async function exists(server: ServerAddress, name: string, signal: AbortSignal): Promise<boolean | null> {
  const isZone = await ask(server, { name, type: 'SOA' }, signal);
  return isZone === false ? has(server, name, signal) : isZone;
}

function has(server: ServerAddress, name: string, signal: AbortSignal): Promise<boolean | null> {
  return ask(server, { name, type: 'A' }, signal);
}

async function ask(server: ServerAddress, question: AskedQuestion, signal: AbortSignal): Promise<boolean | null> {
  if (signal.aborted) return null;
  const alone = { order: () => [server], markHealthy: () => undefined, markFailed: () => undefined };
  const unjudged = { sent: () => ({ atMs: 0, begun: 0 }), judge: () => true };
  const ending = await exchange(question, alone, signal, unjudged);
  return ending.kind === 'failed' ? null : !denies(ending.response, question);
}
