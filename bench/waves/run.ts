import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/db/db.ts';
import type { StoredWave } from '../../src/waves/wave.ts';
import { startWaveSimulation } from '../../test/wave-simulation.ts';
import { type SimulatedMonth, simulateMonth, valuesOf } from './month.ts';
import type { SimulatedSignUp } from './population.ts';

/** Runs the detection over a simulated month: node bench/waves/run.ts [SEED] [SIGN-UPS PER DAY] */

const startMs = Date.UTC(2026, 9, 1);
const dayMs = 86_400_000;
const roundMs = 60_000;
const [seed = 20_261_117, perDay = 500] = process.argv.slice(2).map(Number);

/** Standing as decisions have it: it depends on since when the environment sees a domain. */
function createStanding(): (signUp: SimulatedSignUp) => number {
  const firstSeen = new Map<string, number>();
  return ({ domain, atMs }) => {
    const first = firstSeen.get(domain.name) ?? atMs;
    firstSeen.set(domain.name, first);
    const seenDays = Math.floor(atMs / dayMs) - Math.floor(first / dayMs);
    const isEstablished = domain.authority >= 50 || (domain.ageDays >= 1_826 && seenDays >= 7);
    return (domain.isPublic ? 1 : 0) | (isEstablished ? 2 : 0);
  };
}

async function detect({ signUps }: SimulatedMonth): Promise<StoredWave[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'waves-'));
  const db = await openDatabase({ url: null, dataDir });
  try {
    const simulation = await startWaveSimulation(db, startMs);
    const standingOf = createStanding();
    let roundAtMs = startMs;
    for (const signUp of signUps) {
      if (signUp.atMs >= roundAtMs) {
        simulation.at(roundAtMs);
        await simulation.round();
        roundAtMs = signUp.atMs + roundMs;
      }
      simulation.at(Math.floor(signUp.atMs));
      const { email, normalized, ip, mailServer } = signUp;
      simulation.signUp({ email, ...(normalized && { normalized }), ip, mailServer, traits: standingOf(signUp) });
    }
    simulation.at(roundAtMs);
    await simulation.round();
    return await simulation.waves();
  } finally {
    await db.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The attack, surge or (null) nothing of these that most sign-ups with the wave's value belong to, until it was raised. */
function eventOf(signUps: readonly SimulatedSignUp[], { value, beganAtMs, createdAtMs }: StoredWave): string | null {
  const own = signUps.filter(
    (one) => one.atMs >= beganAtMs && one.atMs <= createdAtMs && valuesOf(one).includes(value),
  );
  const [most] = [...Map.groupBy(own, ({ event }) => event)].sort(([, one], [, other]) => other.length - one.length);
  return most?.[0] ?? null;
}

function report({ attacks, surges, signUps }: SimulatedMonth, waves: readonly StoredWave[]): void {
  const byEvent = Map.groupBy(waves, (wave) => eventOf(signUps, wave));
  const byType = Map.groupBy(attacks, ({ type }) => type);
  console.log(`seed ${seed}: ${signUps.length} sign-ups, ${attacks.length} attacks, ${waves.length} waves\n`);
  console.log(
    '| attack | detected | by the 10th address | addresses until detection (median, most) | waves per detected attack |',
  );
  console.log('|---|---|---|---|---|');
  const linked: { until: number | null; waves: number; isSlow: boolean; hours: number }[] = [];
  for (const [type, ofType] of byType) {
    const results = ofType.map((attack) => {
      const own = byEvent.get(attack.id) ?? [];
      const [first] = own;
      const until =
        first === undefined
          ? null
          : attack.signUps.filter(({ atMs }) => atMs <= first.createdAtMs - roundMs).length + 1;
      const hours = first === undefined ? 0 : (first.createdAtMs - (attack.signUps[0]?.atMs ?? 0)) / 3_600_000;
      return { until, waves: own.length, isSlow: attack.isSlow, hours };
    });
    const found = results.filter(({ until }) => until !== null);
    const untils = found.map(({ until }) => until ?? 0).sort((one, other) => one - other);
    const early = untils.filter((until) => until <= 10).length;
    const perAttack = found.reduce((sum, one) => sum + one.waves, 0) / Math.max(1, found.length);
    console.log(
      `| ${type} | ${found.length} of ${results.length} | ${early} | ${untils[Math.floor(untils.length / 2)] ?? '–'}, ${untils.at(-1) ?? '–'} | ${found.length === 0 ? '–' : perAttack.toFixed(2)} |`,
    );
    if (!ofType[0]?.isUnlinked) linked.push(...results);
  }
  const fast = linked.filter(({ isSlow }) => !isSlow);
  const slow = linked.filter(({ isSlow }) => isSlow);
  const found = linked.filter(({ until }) => until !== null);
  const share = (some: number, all: number): string => `${((100 * some) / Math.max(1, all)).toFixed(0)} %`;
  const seen = fast.filter(({ until }) => until !== null);
  console.log(
    `\nfast attacks with a link: ${share(seen.length, fast.length)} detected, ${share(seen.filter(({ until }) => (until ?? 99) <= 10).length, fast.length)} by the 10th address`,
  );
  console.log(
    `slow attacks: ${share(slow.filter(({ until, hours }) => until !== null && hours <= 48).length, slow.length)} detected within two days`,
  );
  console.log(
    `waves per detected attack: ${(found.reduce((sum, one) => sum + one.waves, 0) / Math.max(1, found.length)).toFixed(2)}`,
  );
  const falseWaves = [null, ...surges].flatMap((event) =>
    (byEvent.get(event) ?? []).map((wave) => ({ event, ...wave })),
  );
  console.log(`false waves: ${falseWaves.length}`);
  for (const { event, kind, value, addresses, createdAtMs, usualPerHour } of falseWaves) {
    const at = new Date(createdAtMs).toISOString();
    const why = event === null ? '' : `, the ${event}`;
    console.log(`  ${at} ${kind} ${value}, ${addresses} addresses, usually ${usualPerHour} an hour${why}`);
  }
}

const month = simulateMonth(startMs, seed, perDay);
const startedMs = performance.now();
const waves = await detect(month);
report(month, waves);
console.error(`${Math.round((performance.now() - startedMs) / 1_000)} s`);
