import { randomBytes } from 'node:crypto';
import type { CustomLists } from '../custom-lists/custom-lists.ts';
import { AppError } from '../errors.ts';
import type { Shared } from '../feature.ts';
import { createAddressKeys } from '../gates/decisions/address-key.ts';
import { loadAddressSecrets } from '../gates/decisions/address-secret-store.ts';
import type { LoggedRow } from '../gates/decisions/decisions-store.ts';
import { fromLoggedRow, shownDecision } from '../gates/decisions/logged-decision.ts';
import { findMarked } from '../gates/decisions/marked-decisions.ts';
import { scanLog } from '../gates/decisions/scan-log.ts';
import type { GatesFeature } from '../gates/feature.ts';
import type { GroupOutcomes } from '../gates/outcomes/group-outcomes.ts';
import type { DecisionLog } from '../gates/segments/decision-log.ts';
import type { Owner } from '../http/endpoint.ts';
import { timeOfId } from '../ulid.ts';
import type { ReadLog } from '../waves/rule-choice.ts';
import type { LoggedDecision, SampleMark, StoredWave, WaveOutcomes, WaveSample } from '../waves/wave.ts';
import type { RulePlaces } from '../waves/wave-draft.ts';

/** The log of gates as waves read it. */
export interface WaveLog {
  readonly log: Pick<DecisionLog, 'listOf'>;
  readonly gateIds: (owner: Owner) => Promise<string[]>;
}

/** Finds decisions in the log of an owner. */
export function loggedIn({ log, gateIds }: WaveLog) {
  return async (owner: Owner, marks: readonly SampleMark[]): Promise<LoggedDecision[]> =>
    (await findMarked(log, await gateIds(owner), marks)).map(toLogged);
}

function toLogged(row: LoggedRow): LoggedDecision {
  const { id, gateId, ruleId, action, outcome } = row;
  return {
    id,
    gateId,
    ruleId,
    action,
    createdAtMs: timeOfId(id),
    outcome: outcome?.outcome ?? null,
    read() {
      const { input, matchedRule, signals } = shownDecision(row);
      return { email: input.email ?? '', ip: input.ip ?? null, ruleName: matchedRule?.name ?? null, signals };
    },
  };
}

function toSample(row: LoggedRow): WaveSample {
  const { id, gateId, action, createdAtMs, read } = toLogged(row);
  const { email, ip } = read();
  return { decisionId: id, gateId, email, ip, action, createdAtMs };
}

/** The gates and lists that drafts are for. */
export function rulePlaces(gates: GatesFeature['gates'], lists: CustomLists): RulePlaces {
  return {
    async rules(owner, gateId) {
      try {
        return (await gates.read(owner, gateId)).rules;
      } catch (error) {
        if (error instanceof AppError && error.code === 'gate_not_found') return null;
        throw error;
      }
    },
    lists: (owner) => lists.list(owner),
    gatesUsing: async (owner, listId) => [...new Set((await lists.uses(owner, listId)).map(({ gateId }) => gateId))],
    async hasEntry(owner, listId, value, untilMs) {
      const found = await lists.entries(owner, listId, { beforeNo: null, limit: 100, text: value });
      return found.some((entry) => entry.value === value && (entry.expiresAtMs ?? Number.POSITIVE_INFINITY) >= untilMs);
    },
    createList: (author, { name, kind }) => lists.create(author, { name, kind, description: 'Networks of waves' }),
    async addEntry(author, listId, { value, note, expiresAtMs }) {
      await lists.addEntries(author, listId, [{ value, note, expires_at: new Date(expiresAtMs).toISOString() }]);
    },
    addRule: async (author, gateId, draft) => (await gates.addRule(author, gateId, { draft, position: null })).rule,
  };
}

/** Outcomes of the allowed decisions of waves. */
export function waveOutcomesIn({ log, gateIds }: WaveLog, outcomes: GroupOutcomes): WaveOutcomes {
  const find = async ({ owner }: StoredWave, allowed: readonly SampleMark[]): Promise<LoggedRow[]> =>
    findMarked(log, await gateIds(owner), allowed, { actions: ['allow'] });
  const reasonOf = ({ id }: StoredWave): string => `wave ${id}`;
  return {
    async report(wave, allowed, outcome) {
      const rows = await find(wave, allowed);
      const changed = new Set(await outcomes.report(rows, { outcome, reason: reasonOf(wave) }));
      const decisions = rows.map((row) => ({
        ...toSample(row),
        outcome: changed.has(row) ? outcome : (row.outcome?.outcome ?? null),
      }));
      return { reported: changed.size, decisions };
    },
    undo: async (wave, allowed) => outcomes.undo(await find(wave, allowed), reasonOf(wave)),
  };
}

/** Reads logged decisions for another evaluation. */
export function readIn({ log, gateIds }: WaveLog): ReadLog {
  return async (owner, fromMs, budget, visit) => {
    const scan = scanLog(log, await gateIds(owner), { fromMs }, budget);
    for await (const row of scan)
      visit({
        createdAtMs: timeOfId(row.id),
        signals: fromLoggedRow(row).signals,
        outcome: row.outcome?.outcome ?? null,
      });
    return scan.complete;
  };
}

/** How the log shows a normalised address: in plain text, or its hash. */
export async function loadShownAddress({
  config,
  db,
}: Pick<Shared, 'config' | 'db'>): Promise<(address: string) => string> {
  const fresh = (): string => randomBytes(32).toString('hex');
  const secrets = await loadAddressSecrets(db, config.decisionLogSecret, fresh);
  const keys = createAddressKeys(config.decisionLogAddresses, secrets);
  return (address) => (keys.hashed ? keys.hash(address) : address);
}
