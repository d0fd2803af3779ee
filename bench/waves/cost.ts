import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/db/db.ts';
import { trait } from '../../src/traffic/observation.ts';
import { startWaveSimulation, type WaveSimulation } from '../../test/wave-simulation.ts';
import { simulateFirstHour } from './month.ts';

/** Measures the processor time of rounds with a full window, and of a process that starts: node bench/waves/cost.ts [SIGN-UPS] */

const [signUpsCounted = 300_000] = process.argv.slice(2).map(Number);
const dayMs = 86_400_000;
const startMs = Date.UTC(2026, 9, 1);
const endMs = startMs + 3 * dayMs;

async function measured(what: string, run: () => Promise<void>): Promise<void> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  console.log(`${what}: ${Math.round((user + system) / 1_000)} ms of processor time`);
}

/** Sign-ups of a day in order, and so few of a day before that the environment is known. */
async function count(simulation: WaveSimulation): Promise<void> {
  simulation.at(startMs);
  simulation.signUp({ email: 'first@known.example' });
  await simulation.round();
  const { signUps } = simulateFirstHour(0, 1, signUpsCounted);
  for (const [index, { email, ip, mailServer, domain }] of signUps.entries()) {
    simulation.at(Math.floor(endMs - dayMs + (index / signUps.length) * dayMs));
    const traits = (domain.isPublic ? trait.public : 0) | (domain.authority >= 50 ? trait.established : 0);
    simulation.signUp({ email, ip, mailServer, traits });
    if (index % 10_000 === 0) await simulation.round();
  }
}

const dataDir = mkdtempSync(join(tmpdir(), 'waves-cost-'));
const db = await openDatabase({ url: null, dataDir });
try {
  const simulation = await startWaveSimulation(db, startMs);
  await count(simulation);
  simulation.at(endMs);
  await measured('last round of the day', () => simulation.round());
  for (const number of [1, 2, 3]) {
    simulation.at(endMs + number * 30_000);
    simulation.signUp({ email: `${number}@another.example` });
    await measured(`round ${number} with a full window, hour and day`, () => simulation.round());
  }
  const next = await startWaveSimulation(db, endMs + 120_000, simulation.owner);
  next.at(endMs + 120_000);
  await measured(`start with ${signUpsCounted} counted addresses, until it is ready`, () => next.share());
  await measured('its first round', () => next.round());
} finally {
  await db.close();
  rmSync(dataDir, { recursive: true, force: true });
}
