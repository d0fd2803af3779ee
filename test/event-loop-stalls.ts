/** Times during which the event loop of this process, or the whole machine, stalled. */
export interface EventLoopStalls {
  /** Their total duration. */
  totalMs(): number;
  stop(): void;
}

/** Longer than any pause that the work of this process causes. */
const minStallMs = 250;

/** Watches this process for stalls, during which its clients sent no requests. */
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
      return gaps.filter((gap) => gap >= minStallMs).reduce((sum, gap) => sum + gap, 0);
    },
    stop: () => clearInterval(watching),
  };
}
