import { randomBytes } from 'node:crypto';
import { exchange } from './dns-exchange.ts';
import { denies } from './dns-interpretation.ts';
import type { AskedQuestion } from './dns-question.ts';
import type { ServerAddress } from './dns-servers.ts';

/** What a server shows of itself; `silent` when too little came back to tell. */
export type ProbeResult = 'sane' | 'denying' | 'inventing' | 'silent';

/** Two, because one may have been registered this minute. */
const madeUpNames = 2;

/**
 * Asks a server for names that must exist, and for names that cannot be registered. One that denies two thirds of the first
 * denies everything; one that has records for all of the second invents. Ends as soon as it is clear which.
 */
export function probeServer(
  server: ServerAddress,
  mustExist: readonly string[],
  signal: AbortSignal,
): Promise<ProbeResult> {
  const enough = Math.ceil((2 * mustExist.length) / 3);
  const ended = new AbortController();
  const within = AbortSignal.any([signal, ended.signal]);
  const seen = { known: 0, denied: 0, invented: 0, unmade: 0 };
  const { promise, resolve } = Promise.withResolvers<ProbeResult>();

  function conclude(): void {
    if (seen.invented >= madeUpNames) resolve('inventing');
    else if (seen.denied >= enough) resolve('denying');
    else if (seen.known >= enough && seen.unmade > 0) resolve('sane');
  }
  async function look(name: string, ask: typeof has, yes: keyof typeof seen, no: keyof typeof seen): Promise<void> {
    const there = await ask(server, name, within);
    if (there === null) return;
    seen[there ? yes : no]++;
    conclude();
  }

  const topLevel = mustExist[0]?.split('.').at(-1);
  const madeUp = Array.from({ length: madeUpNames }, () => `${randomBytes(12).toString('hex')}.${topLevel}`);
  const questions = [
    ...mustExist.map((name) => look(name, exists, 'known', 'denied')),
    ...madeUp.map((name) => look(name, has, 'invented', 'unmade')),
  ];
  void Promise.all(questions).then(() => resolve('silent'));
  return promise.finally(() => ended.abort());
}

/** Whether a name is there: a zone of its own, as it should be, or a name with an address. Null without an answer. */
async function exists(server: ServerAddress, name: string, signal: AbortSignal): Promise<boolean | null> {
  const isZone = await ask(server, { name, type: 'SOA' }, signal);
  return isZone === false ? has(server, name, signal) : isZone;
}

function has(server: ServerAddress, name: string, signal: AbortSignal): Promise<boolean | null> {
  return ask(server, { name, type: 'A' }, signal);
}

async function ask(server: ServerAddress, question: AskedQuestion, signal: AbortSignal): Promise<boolean | null> {
  if (signal.aborted) return null;
  const alone = { order: () => [server], well: () => undefined, unwell: () => undefined };
  const ending = await exchange(question, alone, signal, { sent: () => undefined, judge: () => 'kept' });
  return ending.kind === 'failed' ? null : !denies(ending.response, question);
}
