import type { DnsAnswer } from '../../mail/dns-source.ts';
import type { Deadline } from '../../platform/deadline.ts';
import { waitUntil } from '../../platform/time/with-deadline.ts';
import { type CachedAnswer, type CacheLimits, createCachedAnswers } from './dns-cached-answers.ts';
import {
  type FailureReason,
  failed,
  type Question,
  type QuestionType,
  type RecordOf,
  type Resolution,
} from './dns-question.ts';
import type { DnsResolver } from './dns-resolver.ts';

/** Counters of a cache, plain numbers that only grow. */
export interface CacheCounters {
  /** Answered from the cache. */
  hits: number;
  misses: number;
  /** Lookups that joined a query in progress. */
  joined: number;
  /** Stale answers, served because no newer one was available. */
  staleServed: number;
}

/** A cache in front of a resolver. */
export interface DnsCache {
  /** The cached answer, if it need not be queried again; the name in the form of `readName`. */
  recall<T extends QuestionType>(name: string, type: T): DnsAnswer<RecordOf[T]> | null;
  /** Joins the query in progress or starts one; waits no longer than the deadline. */
  ask<T extends QuestionType>(question: Question<T>, deadline: Deadline): Promise<DnsAnswer<RecordOf[T]>>;
  /** Evicts answers of lying servers: those marked untrusted, and those cached since `sinceMs`, or only the denials among them. */
  forgetLies(sinceMs: number, what: 'all' | 'denials'): void;
  readonly counters: Readonly<CacheCounters>;
  entries(): number;
  bytes(): number;
}

export interface CacheOptions {
  readonly resolver: Pick<DnsResolver, 'resolve'>;
  readonly now: () => number;
  readonly limits: CacheLimits;
  /** How long one query may take, whether or not a lookup still waits for it. */
  readonly questionMs: number;
}

const SECOND_MS = 1_000;
const MIN_FRESH_MS = 60 * SECOND_MS;
const MAX_FRESH_MS = 3_600 * SECOND_MS;
const STALE_MS = 24 * 3_600 * SECOND_MS;
const MIN_FAILED_MS = 5 * SECOND_MS;
const MAX_FAILED_MS = 30 * SECOND_MS;
/** A timeout may be packet loss, and a server may become trusted again: both can end at any moment. */
const maxPauseMs: { readonly [K in FailureReason]?: number } = { timeout: 10 * SECOND_MS, untrusted: MIN_FAILED_MS };
/** A lookup with a stale answer waits no longer than this for a fresh one: the client response timeout of RFC 8767, section 5. */
const STALE_TIMEOUT_MS = 1_800;
/** The share of its TTL after which a hit refreshes an answer in the background. */
const REFRESH_AFTER = 0.9;

/** Creates a cache with single flight: at most one query per name and type is in progress. */
export function createDnsCache(options: CacheOptions): DnsCache {
  const { now } = options;
  const entries = createCachedAnswers(options.limits);
  const flights: { readonly [T in QuestionType]: Map<string, Promise<DnsAnswer<RecordOf[T]>>> } = {
    MX: new Map(),
    TXT: new Map(),
    A: new Map(),
    AAAA: new Map(),
  };
  const counters: CacheCounters = { hits: 0, misses: 0, joined: 0, staleServed: 0 };
  let lastAnsweredAtMs = Number.NEGATIVE_INFINITY;

  function serve<R>(entry: CachedAnswer<R>, atMs: number): DnsAnswer<R> {
    if (entry.answer.kind !== 'failed' && atMs > entry.freshUntilMs) counters.staleServed++;
    return entry.answer;
  }

  function remember<T extends QuestionType>({ name, type }: Question<T>, resolution: Resolution<RecordOf[T]>) {
    const atMs = now();
    const { answer } = resolution;
    const before = entries.get(name, type);
    if (answer.kind !== 'failed') {
      lastAnsweredAtMs = atMs;
      if (answer.kind === 'none' && answer.fleeting === true) return answer;
      entries.set(name, type, learnt(resolution, atMs));
      return answer;
    }
    const stale = staleAnswer(before, atMs);
    // Being busy is our state, not the name's: it is not cached.
    if (answer.reason === 'busy') return stale === null ? answer : serve(stale, atMs);
    const entry = unlearnt(answer, { before, stale }, atMs, lastAnsweredAtMs);
    entries.set(name, type, entry);
    return serve(entry, atMs);
  }

  function query<T extends QuestionType>(question: Question<T>): Promise<DnsAnswer<RecordOf[T]>> {
    const inProgress: Map<string, Promise<DnsAnswer<RecordOf[T]>>> = flights[question.type];
    const joined = inProgress.get(question.name);
    if (joined !== undefined) {
      counters.joined++;
      return joined;
    }
    const flight = options.resolver
      .resolve(question, { atMs: now() + options.questionMs })
      .then((resolution) => remember(question, resolution))
      .finally(() => inProgress.delete(question.name));
    inProgress.set(question.name, flight);
    return flight;
  }

  return {
    recall(name, type) {
      const atMs = now();
      const entry = entries.get(name, type);
      if (entry === null || atMs >= entry.quietUntilMs || atMs < entry.writtenAtMs) return null;
      counters.hits++;
      if (atMs >= entry.refreshFromMs && !flights[type].has(name)) void query({ name, type });
      return serve(entry, atMs);
    },
    ask(question, deadline) {
      const atMs = now();
      counters.misses++;
      const stale = staleAnswer(entries.get(question.name, question.type), atMs);
      if (stale === null) return waitUntil(query(question), deadline, now, () => failed('timeout'));
      const shortened = { ...deadline, atMs: Math.min(deadline.atMs, atMs + STALE_TIMEOUT_MS) };
      return waitUntil(query(question), shortened, now, () => serve(stale, atMs));
    },
    forgetLies(sinceMs, what) {
      entries.forget(({ answer, writtenAtMs }) => {
        if (answer.kind === 'failed') return answer.reason === 'untrusted';
        return writtenAtMs >= sinceMs && (what === 'all' || answer.kind === 'none');
      });
    },
    counters,
    entries: entries.count,
    bytes: entries.bytes,
  };
}

function learnt<R>({ answer, ttlSeconds }: Resolution<R>, atMs: number): CachedAnswer<R> {
  const ttlMs = (ttlSeconds ?? 0) * SECOND_MS;
  const freshMs = Math.min(Math.max(ttlMs, MIN_FRESH_MS), MAX_FRESH_MS);
  return {
    answer,
    writtenAtMs: atMs,
    freshUntilMs: atMs + freshMs,
    quietUntilMs: atMs + freshMs,
    refreshFromMs: atMs + freshMs * REFRESH_AFTER,
    failures: 0,
  };
}

/**
 * The entry after a failure. It keeps an earlier answer for a day. The time to the next query doubles only when others
 * were answered meanwhile: then the name is at fault. When no query is answered, the servers are, and they may recover at any moment.
 */
function unlearnt<R>(
  answer: DnsAnswer<R>,
  { before, stale }: { readonly before: CachedAnswer<R> | null; readonly stale: CachedAnswer<R> | null },
  atMs: number,
  lastAnsweredAtMs: number,
): CachedAnswer<R> {
  const othersAnswered = before !== null && lastAnsweredAtMs >= before.writtenAtMs;
  const earlier = before?.failures ?? 0;
  const failures = othersAnswered || earlier === 0 ? earlier + 1 : earlier;
  const maxMs = (answer.kind === 'failed' && maxPauseMs[answer.reason]) || MAX_FAILED_MS;
  const pauseMs = Math.min(MIN_FAILED_MS * 2 ** (failures - 1), maxMs);
  const freshUntilMs = stale?.freshUntilMs ?? atMs;
  return {
    answer: stale?.answer ?? answer,
    writtenAtMs: atMs,
    freshUntilMs,
    quietUntilMs: Math.max(freshUntilMs, atMs + pauseMs),
    refreshFromMs: atMs + pauseMs,
    failures,
  };
}

/** The entry, if its answer may still be served stale. */
function staleAnswer<R>(entry: CachedAnswer<R> | null, atMs: number): CachedAnswer<R> | null {
  return entry !== null && entry.answer.kind !== 'failed' && atMs < entry.freshUntilMs + STALE_MS ? entry : null;
}
