import { sql } from 'kysely';
import type { Db } from '../db/db.ts';
import { rowsParameter } from '../db/rows.ts';
import { firstIdAt, timeOfId } from '../ulid.ts';
import type { Confirmed, StoredWave } from './wave.ts';
import type { WaveMember } from './wave-members.ts';
import { memberChunks } from './waves-store.ts';

/** Counts the members of waves that were reported good or bad. */
export interface ConfirmedStore {
  /** By the ids of the waves, which belong to one owner; without waves that have no outcomes. */
  of(waves: readonly StoredWave[], from?: Db['read']): Promise<ReadonlyMap<string, Confirmed>>;
}

/** Outcomes that one call reads at most; a wave has up to 10,000 members. */
const maxOutcomes = 100_000;
/** Outcomes in one statement: SQLite blocks the event loop during it. */
const outcomesAtOnce = 2_000;

/** A gate with outcomes in the span of a wave. */
interface Reported {
  readonly wave_id: string;
  readonly gate_id: string;
  readonly first_id: string;
  readonly end_id: string;
}

/** `decode` reads a chunk of members, `endText` the end of a decision's id. */
export function createConfirmedStore(
  db: Db,
  decode: (body: Uint8Array) => readonly WaveMember[],
  endText: (idEnd: number) => string,
): ConfirmedStore {
  const spans = rowsParameter(db, { wave_id: 'text', first_id: 'text', end_id: 'text' });
  const reportedIn = async (waves: readonly StoredWave[], from: Db['read']): Promise<readonly Reported[]> => {
    const [{ owner } = { owner: null }] = waves;
    if (owner === null) return [];
    const rows = waves.map(({ id, beganAtMs, endedAtMs }) => ({
      wave_id: id,
      first_id: firstIdAt(beganAtMs),
      end_id: firstIdAt(endedAtMs ?? maxTimeMs),
    }));
    const found = await sql<Reported>`
      select span.wave_id, g.id as gate_id, span.first_id, span.end_id from ${spans.table(rows)} span
      join gates g on g.account_id = ${owner.accountId} and g.environment = ${owner.environment}
      where exists (
        select 1 from decision_outcomes o
        where o.gate_id = g.id and o.decision_id >= span.first_id and o.decision_id < span.end_id)`.execute(from);
    return found.rows;
  };
  const membersOf = async (waveId: string, from: Db['read']): Promise<Map<string, number>> => {
    const members = (await memberChunks(db, waveId, from)).flatMap(decode);
    return new Map(members.map(({ atMs, idEnd, member }) => [`${atMs} ${endText(idEnd)}`, member]));
  };
  return {
    async of(waves, from = db.read) {
      const confirmed = new Map<string, Confirmed>();
      const budget = { left: maxOutcomes };
      const byWave = Map.groupBy(await reportedIn(waves, from), ({ wave_id }) => wave_id);
      for (const [waveId, reported] of byWave) {
        if (budget.left <= 0) break;
        const members = await membersOf(waveId, from);
        const distinct = { bad: new Set<number>(), good: new Set<number>() };
        for await (const rows of outcomesOf(reported, budget, from)) {
          for (const { id, outcome } of rows) {
            const member = members.get(`${timeOfId(id)} ${id.slice(-idEndLength)}`);
            if (member !== undefined) distinct[outcome as keyof typeof distinct].add(member);
          }
        }
        confirmed.set(waveId, { confirmedBad: distinct.bad.size, confirmedGood: distinct.good.size });
      }
      return confirmed;
    },
  };
}

/** Outcomes in these spans, in steps, until the budget is spent. */
async function* outcomesOf(reported: readonly Reported[], budget: { left: number }, from: Db['read']) {
  for (const { gate_id, first_id, end_id } of reported) {
    for (let next = first_id; budget.left > 0; ) {
      const rows = await from
        .selectFrom('decision_outcomes')
        .select(['decision_id as id', 'outcome'])
        .where('gate_id', '=', gate_id)
        .where('decision_id', '>=', next)
        .where('decision_id', '<', end_id)
        .orderBy('decision_id')
        .limit(outcomesAtOnce)
        .execute();
      yield rows;
      budget.left -= rows.length;
      const last = rows.at(-1);
      if (last === undefined || rows.length < outcomesAtOnce) break;
      next = `${last.id}0`;
    }
  }
}

const idEndLength = 6;
/** The last moment that an id can have. */
const maxTimeMs = 2 ** 48 - 1;
