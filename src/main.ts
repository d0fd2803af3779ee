import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FirstAccount } from './accounts/first-account.ts';
import { type App, type AppOptions, createApp } from './app/app.ts';
import type { Config } from './config.ts';
import type { Invitation } from './console/access/users.ts';
import { createLog } from './log.ts';

/** A process that has gone on answering as long as it was to is gone after this, whatever is still under way. */
const stopLimitMs = 8_500;

/** A signal that was handed on comes sooner, and a second Ctrl-C later. */
const sameSignalMs = 1_000;

/** Where the service listens, and on the first start the account it made. */
export interface Started {
  readonly address: string;
  /** `HOST` is no address of its own but stands for all of them. */
  readonly isEveryAddress: boolean;
  readonly first: FirstAccount | null;
  /** A way into the console for the first user; null once anybody has signed in. */
  readonly invitation: Invitation | null;
}

/** What `serve` may be told besides. */
export interface ServeOptions extends Pick<AppOptions, 'facts' | 'siblings'> {
  /** Whether the first user is given a way in, while nobody has signed in; a newer one ends the one before. Yes unless said otherwise. */
  readonly invites?: boolean;
  /** Waits from the moment when there is something to finish until the service is to stop; for a signal unless said otherwise. */
  readonly untilStop?: () => Promise<string>;
}

/** Runs the service until a signal stops it. `onStarted` is called once it listens. */
export async function serve(
  config: Config,
  onStarted: (started: Started) => void,
  { invites = true, untilStop = nextSignal, ...options }: ServeOptions = {},
): Promise<void> {
  const log = createLog({ level: config.logLevel, pretty: process.stderr.isTTY && !config.production });
  const app = await createApp(config, { log, now: Date.now, ...options });
  const stopRequested = untilStop();
  try {
    const address = await listen(app, config);
    const isEveryAddress = ['0.0.0.0', '::'].includes(config.host);
    const first = await app.createFirstAccount();
    const invitation = invites ? await app.inviteFirstUser() : null;
    onStarted({ address, isEveryAddress, first, invitation });
    log.info({ address, host: config.host }, isEveryAddress ? 'listening on every address' : 'listening');
    // So that the next start is quick, however this process ends.
    flushCompileCache();
  } catch (error) {
    await app.close();
    throw error;
  }
  const signal = await stopRequested;
  log.info({ signal }, 'stopping');
  setTimeout(() => {
    log.warn('requests were still under way when the time to stop ran out');
    process.exit(0);
  }, config.drainMs + stopLimitMs).unref();
  // Clients learn to open no new requests on their connections, and load balancers to send none.
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
        `port ${port} on ${host} is taken; stop what listens there or set PORT to another (0 takes a free one)`,
      );
    }
    if (code === 'EACCES')
      throw new Error(`port ${port} on ${host} may not be opened by this user; set PORT to 1024 or more`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new Error(`HOST ${host} is not an address of this machine`);
    throw error;
  }
}

/**
 * The first SIGTERM or SIGINT. Where a whole process group is signalled and a parent passes the signal on, it comes twice. So
 * only Ctrl-C counts again, and only when it comes later: then the process ends at once.
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
