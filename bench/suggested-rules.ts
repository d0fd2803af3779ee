// What suggested rules stop on sign-ups that they were not derived from: `node bench/suggested-rules.ts [SEEDS]`.
import { compileGate } from '../src/gates/rules/evaluate.ts';
import type { DecisionSignals } from '../src/gates/rules/signals.ts';
import { type DerivedRule, deriveRules } from '../src/gates/suggestions/derive-rules.ts';
import { createExampleTable } from '../src/gates/suggestions/example-table.ts';
import { createSampler } from '../src/gates/suggestions/sampler.ts';
import { ulid } from '../src/ulid.ts';
import { type FieldValues, signalsFromFields } from '../test/gates/signals-from-fields.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

/** A population of sign-ups: how bad ones differ from good ones, how many are bad, and how many of each are reported. */
interface World {
  readonly name: string;
  readonly badShare: number;
  readonly reported: { readonly good: number; readonly bad: number };
  bad(random: SeededRandom): FieldValues;
}

const countries = ['US', 'US', 'US', 'DE', 'DE', 'GB', 'FR', 'IN', 'IN', 'BR', 'NG', 'VN'];
const names = ['anna', 'john', 'maria', 'peter', 'li', 'fatima', 'sven', 'olga', 'kim', 'jose', 'emma', 'ravi'];
const words = ['smith', 'mueller', 'silva', 'kumar', 'ivanova', 'tran', 'jones', 'rossi', 'nowak', 'garcia'];
const chance = ({ integer }: SeededRandom, share: number): boolean => integer(1_000_000) < share * 1_000_000;

function ordinary(random: SeededRandom): FieldValues {
  const { pick, integer } = random;
  const separator = pick(['', '.', '.', '_']);
  const digits = chance(random, 0.35) ? String(integer(chance(random, 0.5) ? 100 : 2_010)) : '';
  const isPublic = chance(random, 0.7);
  return {
    'email.local_part': `${pick(names)}${separator}${pick(words)}${digits}`,
    'email.role_account': chance(random, 0.02),
    'domain.public_domain': isPublic,
    'domain.tld': isPublic ? pick(['com', 'com', 'de']) : pick(['com', 'com', 'de', 'org', 'io', 'xyz', 'co.uk']),
    'domain.age_days': isPublic ? 9_000 : 5 + integer(8_000),
    'domain.tld_trust': 1 + integer(3),
    'ip.geo.country_code': pick(countries),
    'ip.network.asn': 64_500 + integer(40),
    'ip.hosting.detected': chance(random, 0.03),
    'ip.anonymity.vpn.detected': chance(random, 0.06),
    'traffic.domain.first_seen_days': isPublic ? 30 : integer(31),
    'traffic.domain.addresses_24h': isPublic ? 40 + integer(200) : 1 + integer(3),
    'traffic.network.addresses_24h': 1 + integer(6),
    'traffic.ip.addresses_24h': 1 + integer(2),
    'traffic.address.spellings_24h': 1,
  };
}

const usual = { badShare: 0.03, reported: { good: 0.3, bad: 0.7 } };
const worlds: readonly World[] = [
  {
    ...usual,
    name: 'letters and six digits',
    bad: (random) => ({ 'email.local_part': `${random.pick(names)}${100_000 + random.integer(900_000)}` }),
  },
  { ...usual, name: 'random letters and digits', bad: (random) => ({ 'email.local_part': random.label(12) }) },
  {
    ...usual,
    name: 'seven letters, four digits',
    bad: (random) => ({
      'email.local_part': `${random.pick(['qwertzu', 'asdfghj', 'yxcvbnm', 'poiuztr'])}${1_000 + random.integer(9_000)}`,
    }),
  },
  {
    ...usual,
    name: 'young domains of one TLD',
    bad: (random) => ({ 'domain.tld': 'xyz', 'domain.public_domain': false, 'domain.age_days': random.integer(20) }),
  },
  { ...usual, name: 'one network', bad: () => ({ 'ip.network.asn': 64_511, 'ip.hosting.detected': true }) },
  {
    ...usual,
    name: 'domains first seen today',
    bad: (random) => ({
      'domain.public_domain': false,
      'traffic.domain.first_seen_days': 0,
      'traffic.domain.addresses_24h': 5 + random.integer(40),
    }),
  },
  { ...usual, name: 'busy network', bad: (random) => ({ 'traffic.network.addresses_24h': 20 + random.integer(80) }) },
  {
    ...usual,
    name: 'country shared with many',
    badShare: 0.1,
    reported: { good: 0.05, bad: 0.5 },
    bad: (random) => (chance(random, 0.8) ? { 'ip.geo.country_code': 'IN' } : {}),
  },
  {
    ...usual,
    name: 'country, good ones unreported',
    badShare: 0.05,
    reported: { good: 0.01, bad: 0.9 },
    bad: () => ({ 'ip.geo.country_code': 'VN' }),
  },
  {
    ...usual,
    name: 'two attacks of two conditions each',
    bad: (random) =>
      chance(random, 0.5)
        ? { 'ip.network.asn': 64_511, 'ip.geo.country_code': 'VN' }
        : { 'domain.tld': 'de', 'ip.anonymity.vpn.detected': true },
  },
  { ...usual, name: 'nothing in common', bad: () => ({}) },
];

const trained = 6_000;
const fresh = 20_000;
const seeds = Number(process.argv[2] ?? 3);

const line = (cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);
line(['cause', 'rules', 'bad stopped, fresh', 'good stopped, fresh', 'worst', 'CPU ms', 'first rule']);
line(['---', '---', '---', '---', '---', '---', '---']);
for (const world of worlds) {
  const results: Awaited<ReturnType<typeof runWorld>>[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) results.push(await runWorld(world, seededRandom(seed * 7_919)));
  const mean = (of: (result: (typeof results)[number]) => number): number =>
    results.reduce((sum, result) => sum + of(result), 0) / results.length;
  const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;
  line([
    world.name,
    mean(({ rules }) => rules.length).toFixed(1),
    percent(mean(({ bad }) => bad)),
    percent(mean(({ good }) => good)),
    percent(Math.max(...results.map(({ good }) => good))),
    mean(({ cpuMs }) => cpuMs).toFixed(0),
    JSON.stringify(
      results[0]?.rules[0]?.conditions.map(({ field, operator, value }) => `${field} ${operator} ${value}`) ?? [],
    ),
  ]);
}

async function runWorld(world: World, random: SeededRandom) {
  const table = createExampleTable();
  const sampler = createSampler(table);
  const isHeldOut: boolean[] = [];
  for (let index = 0; index < trained; index += 1) {
    const { isBad, signals } = signUp(world, random);
    const isReported = chance(random, isBad ? world.reported.bad : world.reported.good);
    const row = sampler.add(ulid(index), isReported ? (isBad ? 'bad' : 'good') : undefined, () => signals);
    if (row !== null) isHeldOut[row] = random.integer(2) === 0;
  }
  const before = process.cpuUsage();
  const examples = { table, scales: sampler.scales, isHeldOut: (row: number) => isHeldOut[row] === true };
  const rules = await deriveRules(examples, () => null);
  const { user, system } = process.cpuUsage(before);
  return { rules, cpuMs: (user + system) / 1_000, ...freshShares(world, rules, random) };
}

function signUp(world: World, random: SeededRandom): { isBad: boolean; signals: DecisionSignals } {
  const isBad = chance(random, world.badShare);
  return { isBad, signals: signalsFromFields({ ...ordinary(random), ...(isBad ? world.bad(random) : {}) }) };
}

/** The shares of fresh sign-ups that the rules together stop. */
function freshShares(world: World, rules: readonly DerivedRule[], random: SeededRandom): { bad: number; good: number } {
  const draft = { name: '', description: null, message: null, match: 'all', action: 'block', stop: false } as const;
  const live = rules.map(({ conditions }) => ({ ...draft, conditions, enabled: true, mode: 'live' as const }));
  const decide = compileGate({ defaultAction: 'allow', rules: live });
  const counts = { bad: 0, good: 0, allBad: 0, allGood: 0 };
  for (let index = 0; index < fresh; index += 1) {
    const { isBad, signals } = signUp(world, random);
    const isStopped = decide(signals).action === 'block';
    if (isBad) counts.allBad += 1;
    else counts.allGood += 1;
    if (isStopped) counts[isBad ? 'bad' : 'good'] += 1;
  }
  return { bad: counts.bad / counts.allBad, good: counts.good / counts.allGood };
}
