// Searches beside a million outcomes, and the quality and cost of suggested rules: `node bench/outcomes.ts [searches|suggestions|cost] …`.
import { openDatabase } from '../src/db/db.ts';
import { createAddressKeys } from '../src/gates/decisions/address-key.ts';
import { toLoggedRow } from '../src/gates/decisions/decision-entry.ts';
import { createDecisionsStore, type LogFilter } from '../src/gates/decisions/decisions-store.ts';
import { createOutcomesStore, type OutcomeRow } from '../src/gates/decisions/outcomes-store.ts';
import { createDecisionLog } from '../src/gates/segments/decision-log.ts';
import { batchOf } from '../src/gates/segments/entry-batch.ts';
import { sealDecisions } from '../src/gates/segments/sealing.ts';
import { createSegmentsStore } from '../src/gates/segments/segments-store.ts';
import { deriveRules } from '../src/gates/suggestions/derive-rules.ts';
import { createSuggestRules, type SuggestionsParts } from '../src/gates/suggestions/suggestions.ts';
import { ulid } from '../src/ulid.ts';
import { temporaryDirectory } from '../test/engines.ts';
import { madeUpLog } from '../test/gates/made-up-log.ts';
import { gateId, makeDecisions } from './made-decisions.ts';
import { measurePauses } from './pauses.ts';
import { seededRandom } from './seeded-random.ts';
import { median } from './time-per-call.ts';

const entries = 100_000;
const outcomes = 1_000_000;
const logs = 100;
const endMs = Date.now();
const spanMs = 30 * 86_400_000;

const words = process.argv.slice(2);
const isWanted = (what: string): boolean => words.length === 0 || words.includes(what);
if (isWanted('suggestions')) await measureSuggestions();
if (isWanted('searches') || isWanted('cost')) await measureLog();

/** How often a planted cause is found, and how often random outcomes yield nothing. */
async function measureSuggestions(): Promise<void> {
  for (const kind of ['planted', 'random'] as const) {
    let [found, first, none] = [0, 0, 0];
    for (let seed = 1; seed <= logs; seed += 1) {
      const { integer } = seededRandom(seed);
      const random = (): number => integer(2 ** 32) / 2 ** 32;
      const { table, causes, isHeldOut } = madeUpLog({ entries: 10_000, bad: 40, outcomes: kind, random });
      const rules = await deriveRules({ table, isHeldOut, scales: { good: 1, bad: 1, none: 1 } }, () => null);
      const fields = rules.map((rule) => [...new Set(rule.conditions.map(({ field }) => field))].sort().join());
      if (fields.includes(causes.join())) found += 1;
      if (fields[0] === causes.join()) first += 1;
      if (rules.length === 0) none += 1;
    }
    console.log(`${kind} outcomes: cause found ${found}, as the first rule ${first}, no rule ${none}, of ${logs}`);
  }
}

/** The newest page, an address, and filters, without outcomes and beside a million; then suggestions from the same log. */
async function measureLog(): Promise<void> {
  const db = await openDatabase({ url: null, dataDir: temporaryDirectory() });
  const account = {
    id: 'bench',
    name: 'Bench',
    email: 'bench@example.com',
    plan: 'self-hosted',
    overage: 0,
    created_at: 0,
  };
  await db.write.insertInto('accounts').values(account).execute();
  const gate = { id: gateId, account_id: 'bench', environment: 'production', name: 'Bench', description: null };
  const state = { default_action: 'allow', wait: '[]', rule_ids: '[]', created_at: 0, updated_at: 0 };
  await db.write
    .insertInto('gates')
    .values({ ...gate, ...state })
    .execute();
  const [segments, store] = [createSegmentsStore(db), createOutcomesStore(db)];
  const log = createDecisionLog(createDecisionsStore(db), segments, store);
  const keys = createAddressKeys('plain', ['bench']);
  const made = await makeDecisions();
  const ids: string[] = [];
  for (let start = 0; start < entries; start += 1_000) {
    const rows = Array.from({ length: 1_000 }, (_, index) => {
      const atMs = Math.floor(endMs - spanMs + ((start + index) / entries) * spanMs);
      const row = toLoggedRow(made.at(start + index, atMs).decision, keys);
      return { ...row, action: 'allow' };
    });
    ids.push(...rows.map(({ id }) => id));
    await log.write(batchOf(rows), []);
  }
  await sealDecisions(segments, new AbortController().signal);
  const label = async (decisionIds: readonly string[]): Promise<void> => {
    for (let start = 0; start < decisionIds.length; start += 20_000) {
      await store.write(decisionIds.slice(start, start + 20_000).map((id, index) => outcomeOf(id, start + index)));
    }
  };
  const address = (step: number): LogFilter => {
    const { localPart, domain } = made.addressOf((step * 997) % entries);
    return { emailKeys: keys.all(localPart, domain) };
  };
  const searches: Readonly<Record<string, (step: number) => LogFilter>> = {
    'the newest page': () => ({}),
    'an address': address,
    'a page in the middle': (step) => ({ toMs: endMs - ((step + 0.5) / 40) * spanMs }),
  };
  const measure = async (): Promise<Map<string, number>> => {
    const medians = new Map<string, number>();
    for (const [what, filter] of Object.entries(searches)) {
      const times: number[] = [];
      for (let step = 0; step < 40; step += 1) {
        const before = process.threadCpuUsage();
        await log.list(gateId, filter(step), 51);
        const { user, system } = process.threadCpuUsage(before);
        times.push((user + system) / 1_000);
      }
      medians.set(what, median(times));
    }
    return medians;
  };
  await measure();
  const without = await measure();
  await label(ids);
  if (isWanted('cost')) await measureCost(log, store);
  if (!isWanted('searches')) return db.close();
  // The others belong to decisions that the log does not have: a search reads past them.
  await label(Array.from({ length: outcomes - entries }, () => ulid(Math.floor(endMs - spanMs * Math.random()))));
  for (const [what, ms] of await measure()) {
    const before = without.get(what) ?? 0;
    console.log(
      `${what}: ${before.toFixed(2)} ms without outcomes, ${ms.toFixed(2)} ms beside ${outcomes}, ratio ${(ms / before).toFixed(2)}`,
    );
  }
  for (const outcome of ['good', 'bad', 'none'] as const) {
    const startedMs = performance.now();
    const found = await log.list(gateId, { outcome }, 51);
    console.log(`outcome=${outcome}: ${found.length} entries in ${(performance.now() - startedMs).toFixed(1)} ms`);
  }
  await db.close();
}

async function measureCost(log: SuggestionsParts['decisions'], store: SuggestionsParts['outcomes']): Promise<void> {
  const pauses = measurePauses();
  let isDone = false;
  const before = process.cpuUsage();
  const parts = { decisions: log, outcomes: store, monotonicMs: () => performance.now() };
  const suggesting = createSuggestRules(parts)(gateId, { action: 'block' }).finally(() => {
    isDone = true;
  });
  while (!isDone) await pauses.turn();
  const found = await suggesting;
  const { user, system } = process.cpuUsage(before);
  console.log(
    `suggestions from ${entries} entries, all with outcomes: ${((user + system) / 1e6).toFixed(2)} s of processor time, longest pause ${pauses.longestBusyMs().toFixed(0)} ms, ${found.length} rules`,
  );
}

/** Every twentieth is bad. */
function outcomeOf(decisionId: string, index: number): OutcomeRow {
  const outcome = index % 20 === 0 ? 'bad' : 'good';
  return { gateId, decisionId, outcome, reason: null, action: 'allow', ruleIds: [], domain: 'example.com' };
}
