import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FirstAccount } from './accounts/first-account.ts';
import { type App, type AppOptions, createApp } from './app/app.ts';
import type { Config } from './config.ts';
import type { Invitation } from './console/access/users.ts';
import type { FirstGate } from './gates/first-gates.ts';
import { createLog } from './log.ts';

/** After the drain, the process exits within this time, even with requests in progress. */
const stopLimitMs = 8_500;

/** A signal that the parent forwards arrives sooner, a second Ctrl-C later. */
const sameSignalMs = 1_000;

/** Where the service listens, and on the first start the account it created. */
export interface Started {
  readonly address: string;
  /** `HOST` means every address of the machine. */
  readonly isEveryAddress: boolean;
  readonly first: FirstAccount | null;
  /** The gates of that account. */
  readonly gates: readonly FirstGate[];
  /** An invitation to the console for the first user; null once a user has signed in. */
  readonly invitation: Invitation | null;
}

/** Further options of `serve`. */
export interface ServeOptions extends Pick<AppOptions, 'facts' | 'siblings'> {
  /** Whether to invite the first user until one has signed in; a new invitation invalidates the last. True by default. */
  readonly invites?: boolean;
  /** Resolves when the service must stop. Waits for a signal by default. */
  readonly untilStop?: () => Promise<string>;
}

/** Runs the service until a signal stops it. `onStarted` is called once it listens. */
export async function serve(
  config: Config,
  onStarted: (started: Started) => void,
  { invites = true, untilStop = nextSignal, ...options }: ServeOptions = {},
): Promise<void> {
  const log = createLog({ level: config.logLevel, isTerminal: process.stderr.isTTY });
  const stopRequested = untilStop();
  let hasStarted = false;
  void stopRequested.then((signal) => {
    if (hasStarted) return;
    // Nothing is served yet, and storage survives a killed process; the first start would compile lists for seconds.
    log.info({ signal }, 'stopping during the start');
    process.exit(0);
  });
  const app = await createApp(config, { log, now: Date.now, ...options });
  try {
    const address = await listen(app, config);
    const isEveryAddress = ['0.0.0.0', '::'].includes(config.host);
    const first = await app.createFirstAccount();
    const gates = first === null ? [] : await app.createFirstGates(first);
    const invitation = invites ? await app.inviteFirstUser() : null;
    onStarted({ address, isEveryAddress, first, gates, invitation });
    hasStarted = true;
    log.info({ address, host: config.host }, isEveryAddress ? 'listening on every address' : 'listening');
    // The next start is fast, even if this process crashes.
    flushCompileCache();
  } catch (error) {
    await app.close();
    throw error;
  }
  const signal = await stopRequested;
  log.info({ signal }, 'stopping');
  setTimeout(() => {
    log.warn('stopping took too long; the process exits with requests in progress');
    process.exit(0);
  }, config.drainMs + stopLimitMs).unref();
  // Responses now ask clients and load balancers to send no further requests on their connections.
  app.server.drain();
  await sleep(config.drainMs);
  await app.close();
  log.info('stopped');
}

async function listen(app: App, { port, host }: Config): Promise<string> {
  try {
    const address = await app.server.listen({ port, host });
    return address.replace('0.0.0.0', '127.0.0.1').replace('[::]', '[::1]');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new Error(
        `port ${port} on ${host} is in use; stop the program that listens there or set PORT to another (0 takes a free one)`,
      );
    }
    if (code === 'EACCES') throw new Error(`this user may not open port ${port} on ${host}; set PORT to 1024 or more`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new Error(`HOST ${host} is not an address of this machine`);
    throw error;
  }
}

/**
 * The first SIGTERM or SIGINT. When a whole process group is signalled and the parent forwards the signal, it arrives twice. So
 * only a later Ctrl-C counts as a second one: the process then exits immediately.
 */
function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    let firstAt = Number.POSITIVE_INFINITY;
    const onSignal = (signal: NodeJS.Signals): void => {
      if (signal === 'SIGINT' && performance.now() - firstAt > sameSignalMs) process.exit(1);
      firstAt = Math.min(firstAt, performance.now());
      resolve(signal);
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  });
}
