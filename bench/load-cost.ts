// A separate process that loads one library, calls it once, and prints the cost: argv is its name and a data directory.
import { setTimeout as sleep } from 'node:timers/promises';
import { collectGarbage } from './collect-garbage.ts';
import { loadPeer } from './peer.ts';

/** The report to the parent. */
export interface LoadCost {
  readonly tookMs: number;
  /** Heap and buffers that remain after a garbage collection. */
  readonly keptMb: number;
}

const [, , library = '', dataDir = ''] = process.argv;
const log = { info: () => undefined, warn: (_: object, message: string) => console.error(message) };
const address = 'jane.doe@example.com';

const openOurs = async () => {
  const { openLists } = await import('../src/lists/lists.ts');
  const lists = await openLists({ dataDir, log, now: Date.now });
  return [lists, lists.isListed('disposable', 'example.com'), lists.suggest('example.com')];
};

type Run = { run(options: { email: string }): unknown };
const loaders: Readonly<Record<string, () => unknown>> = {
  signalpost: openOurs,
  'signalpost-snapshot': openOurs,
  mailchecker: () => loadPeer<{ isValid(text: string): boolean }>('mailchecker').isValid(address),
  'deep-email-validator': () => loadPeer('deep-email-validator'),
  'disposable-email-domains-js': () =>
    loadPeer<{ isDisposableEmail(text: string): boolean }>('disposable-email-domains-js').isDisposableEmail(address),
  mailcheck: () => loadPeer<Run>('mailcheck').run({ email: address }),
  '@zootools/email-spell-checker': () => loadPeer<Run>('@zootools/email-spell-checker').run({ email: address }),
  validator: () => loadPeer<{ normalizeEmail(text: string): unknown }>('validator').normalizeEmail(address),
  'json-rules-engine': () => loadPeer('json-rules-engine'),
  'json-logic-engine': () => loadPeer('json-logic-engine'),
};

if (library === 'signalpost-snapshot') await import('../src/lists/lists.ts');
/** Collects repeatedly: the garbage of a start, above all of type stripping, is freed in steps. */
const retainedBytes = async (): Promise<number> => {
  for (let step = 0; step < 5; step += 1) {
    await sleep(20);
    collectGarbage();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
const before = await retainedBytes();
const startMs = performance.now();
const loaded = await loaders[library]?.();
const tookMs = performance.now() - startMs;
const cost: LoadCost = { tookMs, keptMb: ((await retainedBytes()) - before) / 2 ** 20 };
// Keeps the loaded library alive while memory is measured.
process.stdout.write(JSON.stringify({ ...cost, kind: typeof loaded }));
