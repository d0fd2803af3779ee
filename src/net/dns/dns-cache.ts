import type { DnsAnswer } from '../../mail/dns-source.ts';
import type { Deadline } from '../../platform/deadline.ts';
import { waitUntil } from '../../platform/with-deadline.ts';
import { type CachedAnswer, type CacheLimits, createCachedAnswers } from './dns-cached-answers.ts';
import { failed, type Question, type QuestionType, type RecordOf, type Resolution } from './dns-question.ts';
import type { DnsResolver } from './dns-resolver.ts';

/** Counters of a cache, plain numbers that only grow. */
export interface CacheCounters {
  /** Answered at once from memory. */
  hits: number;
  misses: number;
  /** Asks that joined a question already under way. */
  joined: number;
  /** Answers past their time, given because no newer one was available. */
  staleServed: number;
}

/** A memory in front of a resolver. */
export interface DnsCache {
  /** The answer when it need not be asked for; the name in the form of `readName`. */
  recall<T extends QuestionType>(name: string, type: T): DnsAnswer<RecordOf[T]> | null;
  /** Waits for the question under way, or asks; not longer than the deadline. */
  ask<T extends QuestionType>(question: Question<T>, deadline: Deadline): Promise<DnsAnswer<RecordOf[T]>>;
  /** Drops what lying servers left behind: refusals to believe them, and what was learnt since, or only its denials. */
  forgetLies(sinceMs: number, what: 'all' | 'denials'): void;
  readonly counters: Readonly<CacheCounters>;
  entries(): number;
  bytes(): number;
}

/** What a cache is made of. */
export interface CacheOptions {
  readonly resolver: Pick<DnsResolver, 'resolve'>;
  readonly now: () => number;
  readonly limits: CacheLimits;
  /** How long one question may take, whoever still waits for it. */
  readonly questionMs: number;
}

const SECOND_MS = 1_000;
const LEAST_FRESH_MS = 60 * SECOND_MS;
const MOST_FRESH_MS = 3_600 * SECOND_MS;
const STALE_MS = 24 * 3_600 * SECOND_MS;
const LEAST_FAILED_MS = 5 * SECOND_MS;
const MOST_FAILED_MS = 30 * SECOND_MS;
/** Silence may be loss on the way, which ends without notice. */
const MOST_SILENT_MS = 10 * SECOND_MS;
/** With a stale answer at hand nobody waits longer than this for a newer one (RFC 8767 section 5). */
const STALE_PATIENCE_MS = 1_800;
/** The share of its life after which an answer that is asked for is refreshed in the background. */
const REFRESH_AFTER = 0.9;

/** Makes a cache with single flight: however many ask, one question for a name and type is under way. */
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
    // Being busy is our state, not the name's: nothing is learnt from it.
    if (answer.reason === 'busy') return stale === null ? answer : serve(stale, atMs);
    const entry = unlearnt(answer, before, stale, atMs, lastAnsweredAtMs);
    entries.set(name, type, entry);
    return serve(entry, atMs);
  }

  function fly<T extends QuestionType>(question: Question<T>): Promise<DnsAnswer<RecordOf[T]>> {
    const underWay: Map<string, Promise<DnsAnswer<RecordOf[T]>>> = flights[question.type];
    const joined = underWay.get(question.name);
    if (joined !== undefined) {
      counters.joined++;
      return joined;
    }
    const flight = options.resolver
      .resolve(question, { atMs: now() + options.questionMs })
      .then((resolution) => remember(question, resolution))
      .finally(() => underWay.delete(question.name));
    underWay.set(question.name, flight);
    return flight;
  }

  return {
    recall(name, type) {
      const atMs = now();
      const entry = entries.get(name, type);
      if (entry === null || atMs >= entry.quietUntilMs || atMs < entry.writtenAtMs) return null;
      counters.hits++;
      if (atMs >= entry.refreshFromMs && !flights[type].has(name)) void fly({ name, type });
      return serve(entry, atMs);
    },
    ask(question, deadline) {
      const atMs = now();
      counters.misses++;
      const stale = staleAnswer(entries.get(question.name, question.type), atMs);
      if (stale === null) return waitUntil(fly(question), deadline, now, () => failed('timeout'));
      const patience = { ...deadline, atMs: Math.min(deadline.atMs, atMs + STALE_PATIENCE_MS) };
      return waitUntil(fly(question), patience, now, () => serve(stale, atMs));
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
  const freshMs = Math.min(Math.max(ttlMs, LEAST_FRESH_MS), MOST_FRESH_MS);
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
 * The entry after a failure. It keeps an earlier answer for a day. The time to the next question doubles only when others
 * were answered meanwhile: then the name is at fault. When nobody is answered the servers are, and may be back any moment.
 */
function unlearnt<R>(
  answer: DnsAnswer<R>,
  before: CachedAnswer<R> | null,
  stale: CachedAnswer<R> | null,
  atMs: number,
  lastAnsweredAtMs: number,
): CachedAnswer<R> {
  const othersAnswered = before !== null && lastAnsweredAtMs >= before.writtenAtMs;
  const earlier = before?.failures ?? 0;
  const failures = othersAnswered || earlier === 0 ? earlier + 1 : earlier;
  const mostMs = answer.kind === 'failed' && answer.reason === 'timeout' ? MOST_SILENT_MS : MOST_FAILED_MS;
  const pauseMs = Math.min(LEAST_FAILED_MS * 2 ** (failures - 1), mostMs);
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

/** The entry when its answer may still be given in place of a newer one. */
function staleAnswer<R>(entry: CachedAnswer<R> | null, atMs: number): CachedAnswer<R> | null {
  return entry !== null && entry.answer.kind !== 'failed' && atMs < entry.freshUntilMs + STALE_MS ? entry : null;
}
