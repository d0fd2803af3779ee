import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { withBenchLists } from './bench-lists.ts';
import type { LoadCost } from './load-cost.ts';
import { paced } from './pace.ts';
import { installPeers, peerName } from './peer.ts';
import type { Row } from './row.ts';
import { median } from './time-per-call.ts';

export const name = 'load';

const rounds = paced(5, 1);
const ours = new Map([
  ['signalpost-snapshot', 'Signalpost lists, code loaded before'],
  ['signalpost', 'Signalpost lists and their code, TypeScript unbuilt'],
]);
const peers = [
  'mailchecker',
  'deep-email-validator',
  'disposable-email-domains-js',
  'mailcheck',
  '@zootools/email-spell-checker',
  'validator',
  'json-rules-engine',
  'json-logic-engine',
];

/** Time to load a library and call it once, and its retained memory, each in separate processes. */
export function run(): Promise<Row[]> {
  installPeers();
  return withBenchLists(async (_, dataDir) => {
    const libraries = [...ours.keys(), ...peers];
    const costs = libraries.map((): LoadCost[] => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, library] of libraries.entries()) costs[index]?.push(loadOnce(library, dataDir));
    }
    const middle = (index: number, read: (cost: LoadCost) => number) => median(costs[index]?.map(read) ?? []);
    return libraries.flatMap((library, index) => {
      const label = ours.get(library) ?? peerName(library);
      return [
        { what: `load: ${label}`, value: middle(index, (cost) => cost.tookMs), unit: 'ms' },
        { what: `memory kept: ${label}`, value: middle(index, (cost) => cost.keptMb), unit: 'MB' },
      ];
    });
  });
}

function loadOnce(library: string, dataDir: string): LoadCost {
  const script = join(import.meta.dirname, 'load-cost.ts');
  return JSON.parse(execFileSync(process.execPath, [script, library, dataDir], { encoding: 'utf8' }));
}
