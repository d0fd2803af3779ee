import type { Deadline } from '../../platform/deadline.ts';
import { createSemaphore } from '../../platform/semaphore.ts';
import { exchange } from './dns-exchange.ts';
import { interpret } from './dns-interpretation.ts';
import { failed, type Question, type QuestionType, type RecordOf, type Resolution, readName } from './dns-question.ts';
import { createDnsServers, type ServerAddress } from './dns-servers.ts';
import type { DnsTrust } from './dns-trust.ts';

/** Counters of a resolver, plain numbers that only grow. */
export interface ResolverCounters {
  /** Questions, each counted once however often it was sent. */
  questions: number;
  /** Times a question was sent, repetitions included. */
  sent: number;
  timeouts: number;
  /** Questions without an answer for another reason than a timeout. */
  failures: number;
  /** Queries refused because too many were in progress. */
  busy: number;
}

/** A stub resolver: queries recursive servers, caches nothing. */
export interface DnsResolver {
  /** Never rejects, and never outlasts the deadline. */
  resolve<T extends QuestionType>(question: Question<T>, deadline: Deadline): Promise<Resolution<RecordOf[T]>>;
  readonly counters: Readonly<ResolverCounters>;
  inFlight(): number;
  waiting(): number;
  /** Aborts every query in progress. */
  close(): void;
}

export interface ResolverOptions {
  readonly servers: readonly ServerAddress[];
  readonly trust: Pick<DnsTrust, 'sent' | 'judge' | 'isDistrusted'>;
  readonly now: () => number;
  /** Concurrent queries; each holds a socket. */
  readonly maxInFlight: number;
  /** Questions that may wait for a slot. */
  readonly maxWaiting: number;
}

/** Node fires a longer timer immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function createDnsResolver(options: ResolverOptions): DnsResolver {
  const servers = createDnsServers(options.servers, options.now, options.trust.isDistrusted);
  const semaphore = createSemaphore(options.maxInFlight, options.maxWaiting);
  const counters: ResolverCounters = { questions: 0, sent: 0, timeouts: 0, failures: 0, busy: 0 };
  const { trust } = options;
  const sent: DnsTrust['sent'] = (server) => {
    counters.sent++;
    return trust.sent(server);
  };
  const events = { sent, judge: trust.judge };
  const inProgress = new Set<AbortController>();
  let closed = false;

  async function resolveFrom<T extends QuestionType>(asked: Question<T>, signal: AbortSignal) {
    let question = asked;
    let hops = 0;
    let aliasTtlSeconds = Number.POSITIVE_INFINITY;
    for (;;) {
      counters.questions++;
      const ending = await exchange(question, servers, signal, events);
      if (ending.kind === 'failed') return unresolved<RecordOf[T]>(ending.reason);
      const read = interpret(ending.response, question, hops);
      if (read.kind === 'resolved') return limited(read.resolution, aliasTtlSeconds);
      const target = readName(read.name);
      if (typeof target === 'string') return unresolved<RecordOf[T]>('broken');
      if (signal.aborted) return unresolved<RecordOf[T]>('timeout');
      question = { name: target.name, type: asked.type };
      hops = read.hops;
      aliasTtlSeconds = Math.min(aliasTtlSeconds, read.ttlSeconds);
    }
  }

  async function resolveWithSlot<T extends QuestionType>(question: Question<T>, signal: AbortSignal) {
    if (!(await semaphore.acquire(signal))) return unresolved<RecordOf[T]>('busy');
    try {
      return signal.aborted ? unresolved<RecordOf[T]>('timeout') : await resolveFrom(question, signal);
    } finally {
      semaphore.release();
    }
  }

  function count(answer: Resolution<unknown>['answer']): void {
    if (answer.kind !== 'failed') return;
    if (answer.reason === 'timeout') counters.timeouts++;
    else if (answer.reason === 'busy') counters.busy++;
    else counters.failures++;
  }

  return {
    async resolve(question, deadline) {
      const leftMs = Math.min(deadline.atMs - options.now(), LONGEST_TIMER_MS);
      if (leftMs <= 0 || deadline.signal?.aborted || closed) return unresolved('timeout');
      const controller = new AbortController();
      const abort = () => controller.abort();
      const timer = setTimeout(abort, leftMs).unref();
      deadline.signal?.addEventListener('abort', abort, { once: true });
      inProgress.add(controller);
      try {
        const resolution = await resolveWithSlot(question, controller.signal);
        count(resolution.answer);
        return resolution;
      } finally {
        clearTimeout(timer);
        deadline.signal?.removeEventListener('abort', abort);
        inProgress.delete(controller);
      }
    },
    counters,
    inFlight: semaphore.held,
    waiting: semaphore.waiting,
    close() {
      closed = true;
      for (const controller of inProgress) controller.abort();
    },
  };
}

function unresolved<R>(reason: Parameters<typeof failed>[0]): Resolution<R> {
  return { answer: failed(reason), ttlSeconds: null };
}

function limited<R>(resolution: Resolution<R>, maxSeconds: number): Resolution<R> {
  const { answer, ttlSeconds } = resolution;
  return ttlSeconds === null ? resolution : { answer, ttlSeconds: Math.min(ttlSeconds, maxSeconds) };
}
