import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSignals } from '../src/library/open-signals.ts';
import type { Signals } from '../src/library/signals.ts';
import { shareSnapshot } from '../test/shared-snapshot.ts';
import { promoteLiveObjects } from './collect-garbage.ts';
import { paced } from './pace.ts';
import type { Row } from './row.ts';
import { seededRandom } from './seeded-random.ts';
import { freshText, median, sink } from './time-per-call.ts';

export const name = 'library';

const rounds = paced(9, 3);
const calls = paced(100_000, 20_000);

/** Library calls per second of CPU time, with unique addresses and recurring domains. */
export async function run(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signalpost-bench-'));
  shareSnapshot(dataDir);
  const signals = await openSignals({ dataDir, offline: true });
  try {
    const random = seededRandom(5);
    const known = ['gmail.com', 'outlook.com', 'mailinator.com', 'yahoo.co.uk'];
    const others = Array.from({ length: 5_000 }, () => `${random.label(9)}.${random.pick(['com', 'net', 'co.uk'])}`);
    const texts = Array.from({ length: calls }, (_, index) => {
      const domain = index % 2 === 0 ? random.pick(known) : random.pick(others);
      return `${random.label(5)}.${random.label(6)}@${domain}`;
    });
    let made = 0;
    const newDomains = () =>
      Array.from({ length: calls }, () => `${random.label(6)}${(made++).toString(36)}.${random.pick(['com', 'net'])}`);
    return [
      row(
        'emailNow',
        '≥ 200,000',
        () => texts,
        (text) => signals.emailNow(text)?.disposable,
      ),
      row(
        'domainNow',
        '≥ 200,000',
        () => texts.map(domainOf),
        (text) => signals.domainNow(text)?.disposable,
      ),
      row('domainNow, every domain new', '≥ 150,000', newDomains, (text) => signals.domainNow(text)?.disposable),
      row(
        'decideNow, rules of a new gate',
        '',
        () => texts,
        (text) => isBlocked(signals, text),
      ),
    ];
  } finally {
    await signals.close();
    rmSync(dataDir, { recursive: true });
  }
}

const domainOf = (text: string): string => text.slice(text.indexOf('@') + 1);
const isBlocked = (signals: Signals, email: string) => signals.decideNow('signup', { email }).action === 'block';

/** The first round does not count, because the code is not compiled yet. */
function row(what: string, goal: string, texts: () => readonly string[], call: (text: string) => unknown): Row {
  const rates: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const inputs = texts().map(freshText);
    promoteLiveObjects();
    const before = process.threadCpuUsage();
    for (const input of inputs) if (call(input)) sink.truthy += 1;
    const { user, system } = process.threadCpuUsage(before);
    if (round > 0) rates.push((calls / (user + system)) * 1e6);
  }
  return { what, value: median(rates), unit: '/s', goal };
}
