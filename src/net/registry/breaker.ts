/** Failures in a row that open it. */
const failuresToOpen = 5;
/** How long it stays open before one request may try again. */
const openMs = 60_000;

/** Skips a server that keeps failing. Keys are servers; each allowed request ends with one of the three reports. */
export interface Breaker {
  /** Whether a request may go out now; after the open time exactly one may, until it reports. */
  allows(key: string): boolean;
  succeeded(key: string): void;
  failed(key: string): void;
  /** The request's end says nothing about the server. */
  undecided(key: string): void;
  /** How many servers are skipped at present. */
  open(): number;
}

interface Circuit {
  failures: number;
  openedAtMs: number | null;
  probing: boolean;
}

/** Makes a breaker with one circuit per key. A healthy server takes no memory. */
export function createBreaker({ now }: { readonly now: () => number }): Breaker {
  const circuits = new Map<string, Circuit>();

  return {
    allows(key) {
      const circuit = circuits.get(key);
      if (circuit === undefined || circuit.openedAtMs === null) return true;
      if (circuit.probing || !hasPassed(circuit.openedAtMs, openMs, now())) return false;
      circuit.probing = true;
      return true;
    },
    succeeded(key) {
      circuits.delete(key);
    },
    failed(key) {
      const circuit = circuits.get(key) ?? { failures: 0, openedAtMs: null, probing: false };
      circuit.failures += 1;
      if (circuit.probing || circuit.failures >= failuresToOpen) circuit.openedAtMs = now();
      circuit.probing = false;
      circuits.set(key, circuit);
    },
    undecided(key) {
      const circuit = circuits.get(key);
      if (circuit !== undefined) circuit.probing = false;
    },
    open: () => circuits.values().reduce((open, { openedAtMs }) => open + (openedAtMs === null ? 0 : 1), 0),
  };
}

/** Whether a span that began at a moment is over; a clock set back counts as over, or the server would stay excluded. */
export function hasPassed(sinceMs: number, spanMs: number, nowMs: number): boolean {
  const elapsedMs = nowMs - sinceMs;
  return elapsedMs >= spanMs || elapsedMs < 0;
}
