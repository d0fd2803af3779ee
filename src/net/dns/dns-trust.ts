import { setTimeout as sleep } from 'node:timers/promises';
import { denies } from './dns-interpretation.ts';
import type { Response } from './dns-message.ts';
import { type ProbeResult, probeServer } from './dns-probe.ts';
import type { AskedQuestion } from './dns-question.ts';
import { type ServerAddress, serverText } from './dns-servers.ts';

/** Whether a server is honest, as far as it is known. */
export type ServerTrust = 'unproven' | 'trusted' | 'denying' | 'inventing';

/** A server that turned out to lie, or to be honest after all. */
export interface TrustChange {
  readonly server: string;
  readonly from: ServerTrust;
  readonly to: ServerTrust;
  /** When its last good proof began; 0 without one. Later answers are in doubt. */
  readonly provenAtMs: number;
}

/** Counters of probes, plain numbers that only grow. */
export interface TrustCounters {
  /** Probes sent. */
  probes: number;
  /** Times a server turned out to lie. */
  distrusted: number;
  /** Answers that were not trusted. */
  disbelieved: number;
}

/** Determines which servers lie. */
export interface DnsTrust {
  /** Called when a question is sent to a server; starts a proof that is due. */
  sent(server: ServerAddress): SentMark;
  /** Whether a response is trusted; `mark` is the result of `sent` for the question. */
  judge(server: ServerAddress, question: AskedQuestion, response: Response, mark: SentMark): boolean | Promise<boolean>;
  /** Proves every server that was trusted since its last proof. False when one of them lies or does not answer. */
  prove(): Promise<boolean>;
  isDistrusted(server: ServerAddress): boolean;
  serverTrust(): { readonly server: string; readonly trust: ServerTrust }[];
  readonly counters: Readonly<TrustCounters>;
  close(): void;
}

/** The moment at which a question was sent. */
export interface SentMark {
  readonly atMs: number;
  /** The number of probes begun before. */
  readonly begun: number;
}

export interface TrustOptions {
  readonly servers: readonly ServerAddress[];
  /** Names that every honest server knows; an empty list trusts every server. */
  readonly mustExist: readonly string[];
  readonly now: () => number;
  readonly onChange: (change: TrustChange) => void;
}

/** A question sent later than this after the last proof starts another. */
const proofLifeMs = 5_000;
/** Records count beside a proof that began no longer than this before their question: a resolver may begin to invent at any moment. */
const recordsProofMs = 250;
/** Silence is no evidence: records whose proof takes longer than this are trusted without it. */
const maxProofWaitMs = 400;
/** A lying server is probed this often, and trusted after so many proofs in a row: some of the servers behind its address may lie. */
const againMs = 1_000;
const proofsToRecover = 5;
/** Time for lost packets to be sent again. */
const probeMs = 3_000;

/** Probes of one server are numbered from 1 and run one at a time. */
interface State {
  readonly server: ServerAddress;
  trust: ServerTrust;
  provenAtMs: number;
  /** The names it must know and has had. */
  readonly known: Set<string>;
  begun: number;
  ended: number;
  /** The last probe that found no lie, and the last proof: a probe with made-up names. */
  lastPassed: number;
  lastProof: number;
  running: Promise<void> | null;
  /** The next probe must be a proof, however old the last one is. */
  needsProof: boolean;
  /** How many probes had begun when a response was last trusted; -1 before the first. */
  trustedAt: number;
  proofsInARow: number;
  again: NodeJS.Timeout | undefined;
}

/** Probes servers one probe at a time each, and concludes from the results which of them lie. */
function createProber({ mustExist, now, onChange }: TrustOptions, counters: TrustCounters, closing: AbortSignal) {
  function isProofRecent({ provenAtMs }: State, lifeMs = proofLifeMs): boolean {
    const ageMs = now() - provenAtMs;
    // A clock that was set back makes the age negative.
    return ageMs >= 0 && ageMs < lifeMs;
  }

  function trustAfter(state: State, result: ProbeResult): ServerTrust {
    // Silence is no evidence: a packet to an honest server may be lost.
    if (result === 'silent') return state.trust;
    state.proofsInARow = result === 'sane' ? state.proofsInARow + 1 : 0;
    if (result !== 'sane') return result;
    return isLying(state.trust) && state.proofsInARow < proofsToRecover ? state.trust : 'trusted';
  }

  function conclude(state: State, result: ProbeResult, proofAtMs: number | null): void {
    const { trust: from, provenAtMs } = state;
    const to = trustAfter(state, result);
    if (result === 'sane') {
      state.lastPassed = state.ended;
      if (proofAtMs !== null) {
        state.lastProof = state.ended;
        state.provenAtMs = proofAtMs;
      }
    }
    if (isLying(to)) {
      // A name may have been removed for good: it counts again once it exists again.
      if (isLying(result)) state.known.clear();
      clearTimeout(state.again);
      state.again = setTimeout(() => void probe(state), againMs).unref();
    }
    if (to === from) return;
    state.trust = to;
    if (isLying(to)) {
      counters.distrusted++;
      // Its answers are evicted.
      state.trustedAt = -1;
    }
    // An honest server that stays honest is not reported.
    if (isLying(from) || isLying(to)) onChange({ server: serverText(state.server), from, to, provenAtMs });
  }

  async function runProbe(state: State): Promise<void> {
    const beganAtMs = now();
    const withMadeUp = state.needsProof || state.trust !== 'trusted' || !isProofRecent(state);
    state.needsProof = false;
    state.begun++;
    counters.probes++;
    const ended = new AbortController();
    // Keeps a command from ending before its facts are proven; `close` ends the probe.
    const timer = setTimeout(() => ended.abort(), probeMs);
    const within = AbortSignal.any([closing, ended.signal]);
    const result = await probeServer(state.server, { mustExist, known: state.known, withMadeUp }, within);
    clearTimeout(timer);
    state.running = null;
    state.ended++;
    if (!closing.aborted) conclude(state, result, withMadeUp ? beganAtMs : null);
  }

  /** Joins the probe in progress. */
  function probe(state: State): Promise<void> {
    if (closing.aborted) return Promise.resolve();
    state.running ??= runProbe(state);
    return state.running;
  }

  async function probedAfter(state: State, mark: number): Promise<void> {
    while (state.ended <= mark && !closing.aborted) await probe(state);
  }

  return { isProofRecent, probe, probedAfter };
}

/**
 * Probes servers with names that must exist and names that cannot. A denial is trusted only when the server had the names that
 * must exist after the question was sent: concurrent denials share that probe. The made-up names, whose denial a server must
 * fetch, are queried in parallel with a question unless they were a moment ago: records count only beside a server that has none for
 * names that cannot exist.
 */
export function createDnsTrust(options: TrustOptions): DnsTrust {
  const { mustExist, now } = options;
  const states = new Map(options.servers.map((server) => [server, newState(server)]));
  const counters: TrustCounters = { probes: 0, distrusted: 0, disbelieved: 0 };
  const closing = new AbortController();
  const { isProofRecent, probe, probedAfter } = createProber(options, counters, closing.signal);
  const mustProve = mustExist.length > 0;

  async function judgeDenial(state: State, mark: number): Promise<boolean> {
    await probedAfter(state, mark);
    return believe(state, state.lastPassed > mark && !isLying(state.trust));
  }

  /** Whether the server proved itself about when it was asked. */
  const isProvenFor = ({ provenAtMs }: State, { atMs }: SentMark): boolean => provenAtMs > atMs - recordsProofMs;

  async function judgeRecords(state: State, mark: SentMark): Promise<boolean> {
    const proven = async (): Promise<void> => {
      await state.running;
      if (isProvenFor(state, mark) || isLying(state.trust)) return;
      state.needsProof = true;
      await probedAfter(state, mark.begun);
    };
    await Promise.race([proven(), sleep(maxProofWaitMs, undefined, { ref: false })]);
    return believe(state, state.trust !== 'inventing');
  }

  function believe(state: State, isTrusted: boolean): boolean {
    if (isTrusted) state.trustedAt = state.begun;
    else counters.disbelieved++;
    return isTrusted;
  }

  async function proveOne(state: State): Promise<boolean> {
    if (state.lastProof > state.trustedAt) return true;
    const mark = state.begun;
    state.needsProof = true;
    await probedAfter(state, mark);
    return state.lastProof > mark && !isLying(state.trust);
  }

  if (mustProve) for (const state of states.values()) void probe(state);
  return {
    sent(server) {
      const state = states.get(server);
      if (state === undefined || !mustProve) return { atMs: now(), begun: 0 };
      const mark = { atMs: now(), begun: state.begun };
      if (!isLying(state.trust) && !isProofRecent(state, recordsProofMs)) {
        if (state.running === null) state.needsProof = true;
        void probe(state);
      }
      return mark;
    },
    judge(server, question, response, mark) {
      const state = states.get(server);
      if (state === undefined || !mustProve) return true;
      if (state.trust === 'inventing') return believe(state, false);
      if (denies(response, question))
        return state.trust === 'denying' ? believe(state, false) : judgeDenial(state, mark.begun);
      return state.trust === 'denying' || isProvenFor(state, mark) ? believe(state, true) : judgeRecords(state, mark);
    },
    async prove() {
      const believed = [...states.values()].filter(({ trustedAt }) => trustedAt >= 0);
      return (await Promise.all(believed.map(proveOne))).every((isProven) => isProven);
    },
    isDistrusted: (server) => isLying(states.get(server)?.trust ?? 'unproven'),
    serverTrust: () => Array.from(states.values(), ({ server, trust }) => ({ server: serverText(server), trust })),
    counters,
    close() {
      closing.abort();
      for (const { again } of states.values()) clearTimeout(again);
    },
  };
}

/** Whether a server of this trust is known to lie. */
export function isLying(trust: ServerTrust | ProbeResult): trust is 'denying' | 'inventing' {
  return trust === 'denying' || trust === 'inventing';
}

function newState(server: ServerAddress): State {
  return {
    ...{ server, trust: 'unproven', provenAtMs: 0, known: new Set<string>() },
    ...{ begun: 0, ended: 0, lastPassed: 0, lastProof: 0, running: null },
    ...{ needsProof: false, trustedAt: -1, proofsInARow: 0, again: undefined },
  };
}
