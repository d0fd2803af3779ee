import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/db/db.ts';
import { trait } from '../../src/traffic/observation.ts';
import type { StoredWave } from '../../src/waves/wave.ts';
import { startWaveSimulation } from '../../test/wave-simulation.ts';
import { type SimulatedAttack, type SimulatedMonth, simulateFirstHour, simulateMonth } from './month.ts';
import type { SimulatedSignUp } from './population.ts';

/**
 * Runs the detection over simulated months and a busy first hour: node bench/waves/run.ts [SEED] [SIGN-UPS A DAY | first-hour | slow …]
 * With `slow` the months have slow attacks alone. It takes half the time with TMPDIR on a disk in memory.
 */

const startMs = Date.UTC(2026, 9, 1);
const dayMs = 86_400_000;
/** Rounds are seconds apart in service. Between ordinary sign-ups fewer do: they would see nothing else. */
const roundMs = 5_000;
const quietRoundMs = 300_000;
const slowRoundMs = 1_800_000;
const firstHourSignUps = 40_000;
const [seedText = '20261117', ...given] = process.argv.slice(2);
const seed = Number(seedText);
const wanted = given.length === 0 ? ['200', '2000', '20000', 'first-hour'] : given;
const isSlowOnly = wanted.includes('slow');
const volumes = wanted.map(Number).filter((one) => one > 0);

/** Traits as decisions have them: they depend on when the environment saw a domain. */
function createTraits(): (signUp: SimulatedSignUp) => number {
  const seen = new Map<string, Set<number>>();
  return ({ domain, atMs }) => {
    const day = Math.floor(atMs / dayMs);
    const days = seen.get(domain.name) ?? new Set();
    seen.set(domain.name, days);
    const sinceDays = days.size === 0 ? 0 : day - Math.min(...days);
    const earlier = [...days].filter((one) => one < day).length;
    days.add(day);
    const isEstablished = domain.authority >= 50 || (domain.ageDays >= 1_826 && sinceDays >= 7 && earlier >= 3);
    return (
      (domain.isPublic ? trait.public : 0) |
      (domain.isRelay ? trait.relay : 0) |
      (isEstablished ? trait.established : 0) |
      (sinceDays < 2 ? trait.fresh : 0)
    );
  };
}

interface Detected {
  readonly waves: readonly StoredWave[];
  /** Sign-ups by the marks of their decisions. */
  readonly byMark: ReadonlyMap<string, SimulatedSignUp>;
  /** Sign-ups that the rule "Part of a wave" challenges. */
  readonly challenged: ReadonlySet<SimulatedSignUp>;
}

async function detect({ signUps }: SimulatedMonth, betweenMs: number): Promise<Detected> {
  const dataDir = mkdtempSync(join(tmpdir(), 'waves-'));
  const db = await openDatabase({ url: null, dataDir });
  try {
    const simulation = await startWaveSimulation(db, startMs, undefined, Math.max(300_000, signUps.length));
    const traitsOf = createTraits();
    const byMark = new Map<string, SimulatedSignUp>();
    const challenged = new Set<SimulatedSignUp>();
    let roundAtMs = startMs;
    let day = 0;
    for (const signUp of signUps) {
      if (process.env.PROGRESS && signUp.atMs >= startMs + (day + 1) * dayMs)
        console.error(`day ${++day}: ${Math.round(process.cpuUsage().user / 1e6)} s`);
      if (signUp.atMs >= roundAtMs) {
        simulation.at(roundAtMs);
        await simulation.round();
        roundAtMs = Math.floor(signUp.atMs) + betweenMs;
      }
      if (signUp.event !== null) roundAtMs = Math.min(roundAtMs, Math.floor(signUp.atMs) + roundMs);
      simulation.at(Math.floor(signUp.atMs));
      const { email, normalized, ip, mailServer, device } = signUp;
      const made = simulation.signUp({
        email,
        ...(normalized && { normalized }),
        ip,
        mailServer,
        ...(device && { device }),
        traits: traitsOf(signUp),
        action: (isInWave) => (isInWave ? 'challenge' : 'allow'),
      });
      byMark.set(made.mark, signUp);
      if (made.waveId !== null) challenged.add(signUp);
    }
    simulation.at(roundAtMs);
    await simulation.round();
    return { waves: await simulation.waves(), byMark, challenged };
  } finally {
    await db.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The attack, crowd or (null) nothing of these that most of a wave's first decisions belong to. */
function eventOf({ byMark }: Detected, { samples }: StoredWave): string | null {
  const events = samples.map(([atMs, idEnd]) => byMark.get(`${atMs} ${idEnd}`)?.event ?? null);
  const [most] = [...Map.groupBy(events, (event) => event)].sort(([, one], [, other]) => other.length - one.length);
  return most?.[0] ?? null;
}

interface AttackResult {
  readonly attack: SimulatedAttack;
  /** The address at which it was detected; null if it was not. */
  readonly until: number | null;
  readonly hours: number;
  readonly waves: number;
  /** Sign-ups that get in, of so many. */
  readonly allowed: number;
  /** A wave was open at its last address. */
  readonly isFollowed: boolean;
}

function resultOf(attack: SimulatedAttack, own: readonly StoredWave[], { challenged }: Detected): AttackResult {
  const [first] = own;
  const before = first === undefined ? -1 : attack.signUps.findLastIndex(({ atMs }) => atMs <= first.createdAtMs);
  const lastMs = attack.signUps.at(-1)?.atMs ?? 0;
  return {
    attack,
    until: first === undefined ? null : before + 1,
    hours: first === undefined ? 0 : (first.createdAtMs - (attack.signUps[0]?.atMs ?? 0)) / 3_600_000,
    waves: own.length,
    allowed: attack.signUps.filter((one) => !challenged.has(one)).length,
    isFollowed: own.some(({ endedAtMs }) => (endedAtMs ?? Number.POSITIVE_INFINITY) >= lastMs),
  };
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

function reportAttacks(perDay: number, results: readonly AttackResult[]): void {
  for (const [type, ofType] of Map.groupBy(results, ({ attack }) => attack.type)) {
    const found = ofType.filter(({ until }) => until !== null);
    const untils = found.map(({ until }) => until ?? 0);
    const waves = found.reduce((sum, one) => sum + one.waves, 0);
    const got = ofType.map(({ allowed, attack }) => `${allowed}/${attack.signUps.length}`).join(' ');
    const followed = ofType.some(({ attack }) => attack.isSlow)
      ? `${found.filter(({ isFollowed }) => isFollowed).length}`
      : '';
    console.log(
      `| ${perDay} | ${type} | ${found.length} of ${ofType.length} | ${found.length === 0 ? '' : median(untils)} | ${found.length === 0 ? '' : (waves / found.length).toFixed(1)} | ${got} | ${followed} |`,
    );
  }
}

function summarise(perDay: number, results: readonly AttackResult[], falseWaves: readonly (string | null)[]): void {
  const linked = results.filter(({ attack }) => !attack.isSlow && !attack.isCheap);
  const seen = linked.filter(({ until }) => until !== null);
  const early = linked.filter(({ until }) => (until ?? 99) <= 10);
  const slow = results.filter(({ attack }) => attack.isSlow);
  const slowSeen = slow.filter(({ until, hours }) => until !== null && hours <= 48);
  const cheapTypes = [
    ...Map.groupBy(
      results.filter(({ attack }) => attack.isCheap),
      ({ attack }) => attack.type,
    ).values(),
  ];
  const cheapSeen = cheapTypes.filter((ofType) => ofType.some(({ until }) => until !== null)).length;
  const found = results.filter(({ until }) => until !== null);
  const of40 = results
    .filter(({ attack, until }) => !attack.isSlow && until !== null && attack.signUps.length >= 40)
    .map(({ attack, allowed }) => (40 * allowed) / attack.signUps.length);
  console.log(
    `${perDay} a day, seed ${seed}: fast ${seen.length}/${linked.length}, by the 10th ${early.length}; cheap kinds ${cheapSeen}/${cheapTypes.length}; slow within two days ${slowSeen.length}/${slow.length}, followed ${slowSeen.filter(({ isFollowed }) => isFollowed).length}; waves per attack ${(found.reduce((sum, one) => sum + one.waves, 0) / Math.max(1, found.length)).toFixed(2)}; of 40 get in (median) ${median(of40).toFixed(0)}; false: people ${falseWaves.filter((event) => event === null).length}, crowds ${falseWaves.filter((event) => event !== null).length}`,
  );
}

const summaries: (() => void)[] = [];
console.log(
  '| sign-ups a day | attack | detected | at address (median) | waves each | get in with the rule | followed |',
);
console.log('|---|---|---|---|---|---|---|');
for (const perDay of volumes) {
  const month = simulateMonth(startMs, seed, perDay, isSlowOnly);
  const startedMs = performance.now();
  const detected = await detect(month, isSlowOnly ? slowRoundMs : quietRoundMs);
  const byEvent = Map.groupBy(detected.waves, (wave) => eventOf(detected, wave));
  const results = month.attacks.map((attack) => resultOf(attack, byEvent.get(attack.id) ?? [], detected));
  reportAttacks(perDay, results);
  const falseWaves = [null, ...month.crowds].flatMap((event) =>
    (byEvent.get(event) ?? []).map((wave) => ({ event, wave })),
  );
  summaries.push(() => {
    summarise(
      perDay,
      results,
      falseWaves.map(({ event }) => event),
    );
    for (const { event, wave } of falseWaves) {
      const { kind, value, addresses, createdAtMs, usualPerHour, isSlow } = wave;
      const at = new Date(createdAtMs).toISOString().slice(0, 16);
      console.log(
        `  ${at} ${isSlow ? 'slow ' : ''}${kind} ${value}, ${addresses}, usually ${usualPerHour} an hour: ${event ?? 'people'}`,
      );
    }
  });
  console.error(`${perDay}: ${Math.round((performance.now() - startedMs) / 1_000)} s`);
}
console.log();
for (const print of summaries) print();
if (wanted.includes('first-hour')) {
  const { waves } = await detect(simulateFirstHour(startMs, seed, firstHourSignUps), roundMs);
  console.log(
    `first hour with ${firstHourSignUps} sign-ups: ${waves.map(({ kind, value }) => `${kind} ${value}`).join(', ') || 'no wave'}`,
  );
}
