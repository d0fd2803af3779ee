import { createSemaphore } from '../../platform/semaphore.ts';
import type { Rdap } from './rdap.ts';
import type { Registration } from './registration.ts';
import type { Whois } from './whois.ts';

export interface RegistrationDatesOptions {
  readonly rdap: Rdap;
  readonly whois: Whois;
  readonly now: () => number;
  readonly offline?: boolean;
  /** Concurrent queries. */
  readonly maxConcurrent?: number;
  /** Queued questions; beyond it the result is `busy`. */
  readonly queueMax?: number;
  /** For one question, RDAP and WHOIS together, without the time in the queue. */
  readonly timeoutMs?: number;
}

/** Fetches registration dates with the registry's protocol. */
export interface RegistrationDates {
  /** When a registrable domain (ASCII) was registered. Concurrent lookups share one query; offline none is sent. */
  registrationDate(registrable: string): Registration | Promise<Registration>;
  /** Queries in progress and queued, and servers skipped because they keep failing; for metrics. */
  load(): { readonly running: number; readonly waiting: number; readonly broken: number };
  /** Failed questions since the start, by reason; for metrics. */
  failures(): Readonly<Record<string, number>>;
}

/** Combines RDAP and WHOIS behind one bounded queue. */
export function createRegistrationDates(options: RegistrationDatesOptions): RegistrationDates {
  const { now, offline = false, maxConcurrent = 8, queueMax = 1_000, timeoutMs = 3_000 } = options;
  const flights = new Map<string, Promise<Registration>>();
  const semaphore = createSemaphore(maxConcurrent, queueMax);
  const failures = new Map<string, number>();

  async function run(registrable: string): Promise<Registration> {
    const result = await queryInTurn(registrable);
    if (result.kind === 'failed') failures.set(result.reason, (failures.get(result.reason) ?? 0) + 1);
    return result;
  }

  async function queryInTurn(registrable: string): Promise<Registration> {
    if (!(await semaphore.acquire())) return { kind: 'failed', reason: 'busy' };
    try {
      return await ask(options, registrable, now() + timeoutMs);
    } finally {
      semaphore.release();
    }
  }

  return {
    registrationDate(registrable) {
      if (offline) return { kind: 'failed', reason: 'offline' };
      const pending = flights.get(registrable);
      if (pending !== undefined) return pending;
      const flight = run(registrable).finally(() => flights.delete(registrable));
      flights.set(registrable, flight);
      return flight;
    },
    load: () => ({
      running: semaphore.held(),
      waiting: semaphore.waiting(),
      broken: options.rdap.broken() + options.whois.broken(),
    }),
    failures: () => Object.fromEntries(failures),
  };
}

/** RDAP first. WHOIS is queried where the registry has no RDAP, or while the list of RDAP servers cannot be obtained. */
async function ask(
  { rdap, whois }: RegistrationDatesOptions,
  registrable: string,
  atMs: number,
): Promise<Registration> {
  const byRdap = await rdap.registeredAt(registrable, { atMs });
  const elsewhere = byRdap.kind === 'unserved' || (byRdap.kind === 'failed' && byRdap.reason === 'no_bootstrap');
  if (!elsewhere) return byRdap;
  const byWhois = await whois.registeredAt(registrable, { atMs });
  if (byWhois.kind !== 'unserved') return byWhois;
  return byRdap.kind === 'unserved' ? { kind: 'none' } : byRdap;
}
