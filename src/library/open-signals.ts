import type { Signals, SignalsOptions } from './signals.ts';

export type { DomainSignals, EmailSignals } from './answer.ts';
export type {
  AskOptions,
  DecisionSubject,
  GateRule,
  GateRules,
  RuleDecision,
  Signals,
  SignalsOptions,
} from './signals.ts';

const neededMajor = 24;

/**
 * Opens the Signalpost engine in this process. The first time, it builds its lists in the data directory, which takes
 * seconds; later it takes a fraction of one.
 */
export async function openSignals(options: SignalsOptions = {}): Promise<Signals> {
  if (Number.parseInt(process.versions.node, 10) < neededMajor) {
    throw new Error(`Signalpost needs Node ${neededMajor} or newer, this is ${process.version}`);
  }
  // Loaded only here: an older Node could not load it, and its error would be less clear.
  const { createSignals } = await import('./create-signals.ts');
  return createSignals(options);
}
