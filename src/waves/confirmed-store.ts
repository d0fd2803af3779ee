import { sql } from 'kysely';
import type { Db } from '../db/db.ts';
import { rowsParameter } from '../db/rows.ts';
import { firstIdAt, timeOfId } from '../ulid.ts';
import type { Confirmed, StoredWave } from './wave.ts';
import type { WaveMember } from './wave-members.ts';

/** Counts the members of waves that were reported good or bad. */
export interface ConfirmedStore {
  /** By the ids of the waves, which belong to one owner; without waves that have no outcomes. */
  of(waves: readonly StoredWave[], from?: Db['read']): Promise<ReadonlyMap<string, Confirmed>>;
}

/** Outcomes that are read at most; a wave has up to 10,000 members. */
const maxOutcomes = 100_000;

/** `decode` reads a chunk of members, `endText` the end of a decision's id. */
export function createConfirmedStore(
  db: Db,
  decode: (body: Uint8Array) => readonly WaveMember[],
  endText: (idEnd: number) => string,
): ConfirmedStore {
  const spans = rowsParameter(db, { wave_id: 'text', first_id: 'text', end_id: 'text' });
  const outcomesOf = async (waves: readonly StoredWave[], from: Db['read']) => {
    const [{ owner } = { owner: null }] = waves;
    if (owner === null) return [];
    const rows = waves.map(({ id, beganAtMs, endedAtMs }) => ({
      wave_id: id,
      first_id: firstIdAt(beganAtMs),
      end_id: firstIdAt(endedAtMs ?? maxTimeMs),
    }));
    const found = await sql<{ wave_id: string; id: string; outcome: string }>`
      select span.wave_id, o.decision_id as id, o.outcome from ${spans.table(rows)} span
      join gates g on g.account_id = ${owner.accountId} and g.environment = ${owner.environment}
      join decision_outcomes o
        on o.gate_id = g.id and o.decision_id >= span.first_id and o.decision_id < span.end_id
      limit ${maxOutcomes}`.execute(from);
    return found.rows;
  };
  const membersOf = async (waveId: string, from: Db['read']): Promise<Map<string, number>> => {
    const chunks = await from.selectFrom('wave_members').select('body').where('wave_id', '=', waveId).execute();
    const members = chunks.flatMap(({ body }) => decode(body));
    return new Map(members.map(({ atMs, idEnd, member }) => [`${atMs} ${endText(idEnd)}`, member]));
  };
  return {
    async of(waves, from = db.read) {
      const confirmed = new Map<string, Confirmed>();
      for (const [waveId, outcomes] of Map.groupBy(await outcomesOf(waves, from), ({ wave_id }) => wave_id)) {
        const members = await membersOf(waveId, from);
        const distinct = (wanted: string): number =>
          new Set(
            outcomes.flatMap(({ id, outcome }) =>
              outcome === wanted ? (members.get(`${timeOfId(id)} ${id.slice(-idEndLength)}`) ?? []) : [],
            ),
          ).size;
        confirmed.set(waveId, { confirmedBad: distinct('bad'), confirmedGood: distinct('good') });
      }
      return confirmed;
    },
  };
}

const idEndLength = 6;
/** The last moment that an id can have. */
const maxTimeMs = 2 ** 48 - 1;
