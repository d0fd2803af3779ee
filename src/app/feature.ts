import type { Logger } from 'pino';
import type { Metric } from 'prom-client';
import type { Config } from '../config.ts';
import type { Db } from '../db/db.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { ServerOptions } from '../http/server.ts';
import type { LimitCounters } from '../limits/limit-counters.ts';

/** What every feature is built from. */
export interface Shared {
  readonly config: Config;
  readonly db: Db;
  readonly log: Logger;
  readonly now: () => number;
  /** Measures spans of time and never goes back. */
  readonly monotonicMs: () => number;
  /** The other processes of this instance, when it has several. */
  readonly siblings?: Siblings;
}

/** What the processes of one instance do together. */
export interface Siblings {
  /** With `REDIS_URL` Redis counts instead, for several instances. */
  readonly counters: LimitCounters;
  /** Makes the metrics of all of them; `own` are those of this process. */
  readonly joinMetrics: ServerOptions['joinMetrics'];
  /** Registers the name under which this process holds leases; `onHolderDied` runs in a sibling after a process died without releasing its leases. */
  registerHolder(self: string, onHolderDied: (holder: string) => Promise<void>): void;
  /** Compiles the IP networks into a file, once for all processes of the instance. */
  buildNetworks(path: string, signal: AbortSignal): Promise<void>;
}

/** A part of the product, built and running: what it serves, what makes it forget, how it ends. */
export interface Feature {
  readonly endpoints: readonly Endpoint[];
  readonly follows: readonly Following[];
  /** Belong to no registry yet. */
  readonly metrics: readonly Metric[];
  /** How many entries each thing kept in memory has. */
  readonly caches?: Readonly<Record<string, () => number>>;
  /** How many things of each kind are answered or learnt and not written yet. */
  readonly unwritten?: Readonly<Record<string, () => number>>;
  /** Ends what it does on its own and writes what it holds; no request comes any more. */
  close(): Promise<void>;
}

/** What a feature keeps of the database in memory, and how it is told that it may no longer be true. */
export interface Following {
  /** Announced changes of this topic concern it. */
  readonly topic: string;
  /** What this scope stands for has changed. */
  changed(scope: string): void;
  /** Anything may have changed. */
  changedAll(): void;
}
