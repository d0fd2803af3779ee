import type { Logger } from 'pino';
import type { Metric } from 'prom-client';
import type { Config } from './config.ts';
import type { Db } from './db/db.ts';
import type { Endpoint } from './http/endpoint.ts';
import type { LimitCounters } from './http/limit-counters.ts';
import type { OpenPath } from './http/open-route.ts';
import type { CollectFromProcesses } from './http/server.ts';
import type { Job } from './platform/jobs.ts';
import type { WriteBehind } from './platform/write-behind.ts';

/** The configuration, database, log and clocks that every feature uses. */
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

/** Operations that the processes of one instance share. */
export interface Siblings {
  /** With `REDIS_URL` Redis counts instead, for several instances. */
  readonly counters: LimitCounters;
  readonly collect: CollectFromProcesses;
  /** Registers the name under which this process holds leases; `onHolderDied` runs in a sibling after a process died without releasing its leases. */
  registerHolder(self: string, onHolderDied: (holder: string) => Promise<void>): void;
  /** Compiles the IP networks into a file, once for all processes of the instance. */
  buildNetworks(path: string, signal: AbortSignal): Promise<void>;
}

/** A part of the product: its endpoints, cache invalidation, jobs, buffers and shutdown. */
export interface Feature {
  readonly endpoints?: readonly Endpoint[];
  /** Paths that take no key. */
  readonly openPaths?: readonly OpenPath[];
  readonly follows?: readonly Following[];
  /** Not registered yet. */
  readonly metrics?: readonly Metric[];
  /** How many entries each cache holds. */
  readonly caches?: Readonly<Record<string, () => number>>;
  readonly jobs?: readonly Job[];
  /** Flushed on their schedule, and once more when the process stops. */
  readonly buffers?: readonly WriteBehind[];
  /** Releases all other resources, after the last request, once jobs have ended and buffers are flushed. */
  close?(): Promise<void>;
}

/** A cache of database contents, and how to invalidate it. */
export interface Following {
  /** Announced changes of this topic concern it. */
  readonly topic: string;
  /** The data of this scope has changed. */
  changed(scope: string): void;
  /** Anything may have changed. */
  changedAll(): void;
  /** The poll for changes begins; `lastSuccessMs` returns when its last success started: the cache is current up to then. */
  begin?(lastSuccessMs: () => number): void;
}
