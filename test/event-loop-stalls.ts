/** The times at which a process, or the whole machine, stood still. */
export interface EventLoopStalls {
  /** How long they lasted together. */
  totalMs(): number;
  stop(): void;
}

/** Longer than any pause that work in this process takes. */
const shortestMs = 250;

/** Watches this process for stalls: who asks for something all the time has not asked for it meanwhile. */
export function watchStalls(): EventLoopStalls {
  const gaps: number[] = [];
  let lastMs = performance.now();
  const watch = (): void => {
    const nowMs = performance.now();
    gaps.push(nowMs - lastMs);
    lastMs = nowMs;
  };
  const watching = setInterval(watch, 20);
  return {
    totalMs() {
      watch();
      return gaps.filter((gap) => gap >= shortestMs).reduce((sum, gap) => sum + gap, 0);
    },
    stop: () => clearInterval(watching),
  };
}
