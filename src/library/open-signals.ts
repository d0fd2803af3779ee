import { runtimeProblem } from './runtime-problem.ts';
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

/**
 * Opens the Signalpost engine in this process. The first time, it builds its lists in the data directory, which takes
 * seconds; later it takes a fraction of one.
 */
export async function openSignals(options: SignalsOptions = {}): Promise<Signals> {
  const problem = runtimeProblem(process.versions);
  if (problem !== null) throw new Error(problem);
  await mustBeInItsPackage();
  // Loaded only here: an older Node could not load it, and its error would be less clear.
  const { createSignals } = await import('./create-signals.ts');
  return createSignals(options);
}

const bundled =
  'signalpost was bundled into another file. It reads data files of its package and starts modules beside it, so it must stay ' +
  "in node_modules. Mark it as external: esbuild --external:signalpost, Vite ssr: { external: ['signalpost'] }, " +
  "Next.js serverExternalPackages: ['signalpost']";

/** A bundler moves this module out of its package; a CommonJS bundle has no `import.meta.url` either. */
async function mustBeInItsPackage(): Promise<void> {
  // Loaded only here: Node 20 has no `findPackageJSON`.
  const { findPackageJSON } = await import('node:module');
  const { readFileSync } = await import('node:fs');
  const url: string | undefined = import.meta.url;
  const file = url === undefined ? undefined : findPackageJSON(url);
  // Without a package.json above it, Node returns the module itself.
  const isOurs = file?.endsWith('package.json') && JSON.parse(readFileSync(file, 'utf8')).name === 'signalpost';
  if (!isOurs) throw new Error(bundled);
}
