import { denies } from './dns-interpretation.ts';
import type { Response } from './dns-message.ts';
import { type ProbeResult, probeServer } from './dns-probe.ts';
import type { AskedQuestion } from './dns-question.ts';
import { type ServerAddress, serverText } from './dns-servers.ts';

/** What is known of a server's honesty. */
export type Standing = 'unproven' | 'trusted' | 'denying' | 'inventing';

/** Whether a response may be cached, counts for this lookup only, or is not trusted. */
export type Belief = 'kept' | 'fleeting' | 'refused';

/** A server that turned out to lie, or to be honest after all. */
export interface TrustChange {
  readonly server: string;
  readonly from: Standing;
  readonly to: Standing;
  /** When it last proved itself before this; 0 when it never did. What it said since then is in doubt. */
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

/** Knows which servers lie. */
export interface DnsTrust {
  judge(server: ServerAddress, question: AskedQuestion, response: Response): Belief | Promise<Belief>;
  isDistrusted(server: ServerAddress): boolean;
  standings(): { readonly server: string; readonly standing: Standing }[];
  readonly counters: Readonly<TrustCounters>;
  close(): void;
}

/** The parts of the trust in servers. */
export interface TrustOptions {
  readonly servers: readonly ServerAddress[];
  /** Names every honest server knows; none of them believes every server. */
  readonly mustExist: readonly string[];
  /** Mail domains so well known that a denial of one is a reason to doubt the server. */
  readonly isWellKnown: (name: string) => boolean;
  readonly now: () => number;
  readonly onChange: (change: TrustChange) => void;
}

/** A denial is trusted for this long after a successful probe. */
const proofLifeMs = 600_000;
/** A lying server is probed this often. */
const againMs = 10_000;
/** Time for lost packets to be sent again. */
const probeMs = 3_000;

interface State {
  standing: Standing;
  provenAtMs: number;
  proof: Promise<void> | null;
}

/**
 * Probes each server: at the start, before a denial is trusted when the last probe is too old, immediately when it denies a
 * well-known mail domain, and repeatedly while it lies. At most one probe of a server is in progress.
 */
export function createDnsTrust(options: TrustOptions): DnsTrust {
  const { servers, mustExist, now } = options;
  const states = new Map<ServerAddress, State>(
    servers.map((server) => [server, { standing: 'unproven', provenAtMs: 0, proof: null }]),
  );
  const counters: TrustCounters = { probes: 0, distrusted: 0, disbelieved: 0 };
  const closing = new AbortController();

  function conclude(server: ServerAddress, state: State, result: ProbeResult, beganAtMs: number): void {
    // Silence says nothing: a packet may be lost on the way to an honest server.
    const to = result === 'silent' ? state.standing : result === 'sane' ? 'trusted' : result;
    const { standing: from, provenAtMs } = state;
    if (result === 'sane') state.provenAtMs = beganAtMs;
    if (isLying(to)) setTimeout(() => void prove(server, state), againMs).unref();
    if (to === from) return;
    state.standing = to;
    if (isLying(to)) counters.distrusted++;
    // An honest server that stays honest is not reported.
    if (isLying(from) || isLying(to)) options.onChange({ server: serverText(server), from, to, provenAtMs });
  }

  async function runProof(server: ServerAddress, state: State): Promise<void> {
    const beganAtMs = now();
    const ended = new AbortController();
    const timer = setTimeout(() => ended.abort(), probeMs).unref();
    counters.probes++;
    const result = await probeServer(server, mustExist, AbortSignal.any([closing.signal, ended.signal]));
    clearTimeout(timer);
    state.proof = null;
    if (!closing.signal.aborted) conclude(server, state, result, beganAtMs);
  }

  function prove(server: ServerAddress, state: State): Promise<void> {
    if (closing.signal.aborted) return Promise.resolve();
    state.proof ??= runProof(server, state);
    return state.proof;
  }

  function isProven({ standing, provenAtMs }: State): boolean {
    const ageMs = now() - provenAtMs;
    // A clock that was set back makes the age negative.
    return standing === 'trusted' && ageMs >= 0 && ageMs < proofLifeMs;
  }

  /** Whether a denial is trusted once the server was probed. */
  function beliefInDenial(state: State): Belief {
    if (state.standing === 'trusted') return isProven(state) ? 'kept' : 'fleeting';
    return 'refused';
  }

  function judge(server: ServerAddress, question: AskedQuestion, response: Response): Belief | Promise<Belief> {
    const state = states.get(server);
    if (state === undefined || mustExist.length === 0) return 'kept';
    if (state.standing === 'inventing') return 'refused';
    if (!denies(response, question)) {
      // A server that begins to invent denies nothing any more, so that no denial would lead to a proof.
      if (state.standing === 'trusted' && !isProven(state)) void prove(server, state);
      return 'kept';
    }
    if (state.standing === 'denying') return 'refused';
    const isSuspicious = (question.type === 'MX' || question.type === 'TXT') && options.isWellKnown(question.name);
    if (isProven(state) && !isSuspicious) return 'kept';
    return prove(server, state).then(() => beliefInDenial(state));
  }

  function count(belief: Belief): Belief {
    if (belief === 'refused') counters.disbelieved++;
    return belief;
  }

  if (mustExist.length > 0) for (const [server, state] of states) void prove(server, state);
  return {
    judge(server, question, response) {
      const belief = judge(server, question, response);
      return typeof belief === 'string' ? count(belief) : belief.then(count);
    },
    isDistrusted: (server) => isLying(states.get(server)?.standing ?? 'unproven'),
    standings: () => [...states].map(([server, { standing }]) => ({ server: serverText(server), standing })),
    counters,
    close: () => closing.abort(),
  };
}

/** Whether a server of this standing is known to lie. */
export function isLying(standing: Standing): standing is 'denying' | 'inventing' {
  return standing === 'denying' || standing === 'inventing';
}
