import { Counter, Gauge, type Metric } from 'prom-client';

/** Values by label. */
export type Labelled = Readonly<Record<string, number>>;

/** A value that goes up and down, read at each scrape. */
export function gauge(name: string, help: string, read: () => number): Metric {
  return new Gauge({
    name: `signalpost_${name}`,
    help,
    registers: [],
    collect() {
      this.set(read());
    },
  });
}

/** Several gauges of one metric, by label. */
export function gaugeBy(label: string, name: string, help: string, read: () => Labelled): Metric {
  return new Gauge({
    ...labelled(label, name, help),
    collect() {
      this.reset();
      for (const [key, value] of Object.entries(read())) this.set({ [label]: key }, value);
    },
  });
}

/** A counter that its owner keeps since the start of the process. */
export function counter(name: string, help: string, read: () => number): Metric {
  return new Counter({
    name: `signalpost_${name}`,
    help,
    registers: [],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** Counters that their owner keeps since the start of the process, by label. */
export function counterBy(label: string, name: string, help: string, read: () => Labelled): Metric {
  return new Counter({
    ...labelled(label, name, help),
    collect() {
      this.reset();
      for (const [key, value] of Object.entries(read())) this.inc({ [label]: key }, value);
    },
  });
}

function labelled(label: string, name: string, help: string) {
  return { name: `signalpost_${name}`, help, labelNames: [label], registers: [] };
}
