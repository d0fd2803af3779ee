import { Counter, Gauge, type Metric } from 'prom-client';

/** Values by label. */
export type Labelled = Readonly<Record<string, number>>;

/** A value that goes up and down, read at each scrape. */
export function gauge(name: string, help: string, read: () => number): Metric {
  return new Gauge({
    ...described(name, help),
    collect() {
      this.set(read());
    },
  });
}

/** Several gauges of one metric, by label. */
export function gaugeBy(label: string, name: string, help: string, read: () => Labelled): Metric {
  return new Gauge({
    ...described(name, help, label),
    collect() {
      this.reset();
      for (const [key, value] of Object.entries(read())) this.set({ [label]: key }, value);
    },
  });
}

/** A counter that its owner keeps since the start of the process. */
export function counter(name: string, help: string, read: () => number): Metric {
  return new Counter({
    ...described(name, help),
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** Counters that their owner keeps since the start of the process, by label. */
export function counterBy(label: string, name: string, help: string, read: () => Labelled): Metric {
  return new Counter({
    ...described(name, help, label),
    collect() {
      this.reset();
      for (const [key, value] of Object.entries(read())) this.inc({ [label]: key }, value);
    },
  });
}

/** A counter that is increased with each event. */
export function eventCounter<Label extends string = never>(
  name: string,
  help: string,
  ...labels: Label[]
): Counter<Label> {
  return new Counter(described(name, help, ...labels));
}

/** Starts the series of these labels at 0: a rate over one that appears with its first event would miss that event. */
export function startAtZero<Label extends string>(
  counter: Counter<Label>,
  labels: Iterable<Partial<Record<Label, string>>>,
): Counter<Label> {
  for (const each of labels) counter.inc(each, 0);
  return counter;
}

function described<Label extends string>(name: string, help: string, ...labelNames: Label[]) {
  return { name: `signalpost_${name}`, help, labelNames, registers: [] };
}
