import type { Condition } from '../gates/rules/condition.ts';
import type { Rule, RuleDraft } from '../gates/rules/rule.ts';
import type { Author, Owner } from '../http/endpoint.ts';
import type { ListKind } from '../list-kind.ts';
import { type ChosenRule, chooseRule, type RuleChoiceParts } from './rule-choice.ts';
import type { ConfirmedWave } from './wave.ts';
import type { WaveEvidence } from './wave-evidence.ts';
import { draftList, listOfWave } from './wave-list.ts';
import { type ProposedRule, withAction } from './wave-rule.ts';
import { isLive, isStoppedByRules } from './wave-stops.ts';

/** A condition whose list may be missing. */
export type DraftCondition = Omit<Condition, 'value'> & { readonly value?: Condition['value'] | null };
export type DraftRule = Omit<ProposedRule, 'conditions'> & { readonly conditions: readonly DraftCondition[] };

/** A network to put on a list. */
export interface DraftEntry {
  readonly list: { readonly id: string | null; readonly name: string; readonly kind: 'ip' | 'asn' };
  readonly value: string;
  readonly note: string;
  readonly expiresAtMs: number;
}

/** A rule against a wave that no rule stops yet, and the other decisions it would match. */
export interface Draft extends Omit<ChosenRule, 'rule'> {
  /** Null when a rule does it already, or the entry suffices. */
  readonly rule: DraftRule | null;
  readonly entry: DraftEntry | null;
}

/** A custom list, for drafts. */
export interface DraftList {
  readonly id: string;
  readonly name: string;
  readonly kind: ListKind;
}

/** The gates and lists of an owner. */
export interface RulePlaces {
  /** Null when the owner has no such gate. */
  rules(owner: Owner, gateId: string): Promise<readonly Rule[] | null>;
  lists(owner: Owner): Promise<readonly DraftList[]>;
  /** The gates with rules on a list. */
  gatesUsing(owner: Owner, listId: string): Promise<readonly string[]>;
  /** Whether a list has the value until a moment or longer. */
  hasEntry(owner: Owner, listId: string, value: string, untilMs: number): Promise<boolean>;
  createList(author: Author, list: Pick<DraftList, 'name' | 'kind'>): Promise<DraftList>;
  addEntry(author: Author, listId: string, entry: Pick<DraftEntry, 'value' | 'note' | 'expiresAtMs'>): Promise<void>;
  addRule(author: Author, gateId: string, rule: RuleDraft): Promise<Rule>;
}

export interface DraftParts extends RuleChoiceParts {
  readonly places: RulePlaces;
  readonly minAddresses: (owner: Owner) => Promise<number>;
}

/** The additions for a wave. */
export interface Accepted {
  readonly gateId: string;
  readonly rule: Rule | null;
  readonly entry: DraftEntry | null;
}

/** Drafts of rules against waves. */
export interface Drafts {
  of(wave: ConfirmedWave, evidence: WaveEvidence): Promise<Draft>;
  /** Adds the draft to a gate, with its list and entry; existing ones are not added again. */
  accept(
    author: Author,
    wave: ConfirmedWave,
    evidence: WaveEvidence,
    wanted: { readonly gateId: string; readonly action: ProposedRule['action'] | null },
  ): Promise<Accepted | 'block_refused' | 'gate_not_found'>;
}

const listName = 'Waves';
const keptMs = 7 * 86_400_000;
/** An entry that lasts for at least this long is not renewed. */
const freshMs = 6 * 86_400_000;

export function createDrafts(parts: DraftParts): Drafts {
  const { places, now, minAddresses } = parts;
  const choose = async (wave: ConfirmedWave, { fewDomains, about }: WaveEvidence): Promise<ChosenRule> => {
    const chosen = await chooseRule({ wave, fewDomains, minAddresses: await minAddresses(wave.owner) }, parts);
    return about.isRelay ? { ...chosen, rule: withAction(chosen.rule, 'challenge') } : chosen;
  };
  /** The parts that these gates lack. */
  const missing = async (
    { owner }: ConfirmedWave,
    rule: ProposedRule,
    entry: DraftEntry | null,
    gateIds: readonly string[],
  ): Promise<Pick<Draft, 'rule' | 'entry'>> => {
    const listId = entry?.list.id ?? null;
    const drafted = withList(rule, listId);
    const hasRule = (await liveRules(places, owner, gateIds)).some((live) => isSameRule(live, drafted));
    const hasEntry =
      entry !== null && listId !== null && (await places.hasEntry(owner, listId, entry.value, now() + freshMs));
    return { rule: hasRule ? null : drafted, entry: hasRule && hasEntry ? null : entry };
  };
  return {
    async of(wave, evidence) {
      const { rule, ...effect } = await choose(wave, evidence);
      if (await isStopped(places, wave, evidence)) return { ...effect, rule: null, entry: null };
      const entry = await entryFor(places, wave, now());
      const gateIds = await gatesFor(places, wave.owner, evidence.gateId, entry);
      return { ...effect, ...(await missing(wave, rule, entry, gateIds)) };
    },
    async accept(author, wave, evidence, { gateId, action }) {
      if ((await places.rules(author, gateId)) === null) return 'gate_not_found';
      const { rule } = await choose(wave, evidence);
      if (action === 'block' && rule.action !== 'block') return 'block_refused';
      const wanted = withAction(rule, action ?? rule.action);
      const entry = await entryFor(places, wave, now());
      const listed = entry && { ...entry, list: await existing(places, author, entry.list) };
      const draft = await missing(wave, wanted, listed, [gateId]);
      if (listed !== null && draft.entry !== null) await places.addEntry(author, listed.list.id, listed);
      if (draft.rule === null) return { gateId, rule: null, entry: draft.entry };
      const conditions = draft.rule.conditions as readonly Condition[];
      const added = { ...draft.rule, conditions, stop: false, enabled: true, mode: 'live' as const };
      return { gateId, rule: await places.addRule(author, gateId, added), entry: draft.entry };
    },
  };
}

async function entryFor(places: DraftParts['places'], wave: ConfirmedWave, nowMs: number): Promise<DraftEntry | null> {
  const wanted = listOfWave(wave);
  if (wanted === null) return null;
  const { kind, entry } = wanted;
  const list = listFor(await places.lists(wave.owner), kind);
  const note = `Wave ${wave.id}: ${wave.addresses} addresses`;
  return { list, value: entry, note, expiresAtMs: nowMs + keptMs };
}

/** The live rules of a gate, or of every gate that uses a list. */
async function liveRules(places: DraftParts['places'], owner: Owner, gateIds: readonly string[]): Promise<Rule[]> {
  const found = await Promise.all(gateIds.map((gateId) => places.rules(owner, gateId)));
  return found.flatMap((rules) => (rules ?? []).filter(isLive));
}

async function gatesFor(
  places: DraftParts['places'],
  owner: Owner,
  gateId: string | null,
  entry: DraftEntry | null,
): Promise<readonly string[]> {
  if (gateId !== null) return [gateId];
  return entry?.list.id ? places.gatesUsing(owner, entry.list.id) : [];
}

async function isStopped(
  places: DraftParts['places'],
  wave: ConfirmedWave,
  { decisions }: WaveEvidence,
): Promise<boolean> {
  if (!wave.isStopped) return false;
  const gateIds = [...new Set(decisions.map(({ gateId }) => gateId))];
  const found = await Promise.all(
    gateIds.map(async (gateId) => [gateId, await places.rules(wave.owner, gateId)] as const),
  );
  const rulesOf = new Map(found.flatMap(([gateId, rules]) => (rules === null ? [] : [[gateId, rules] as const])));
  return isStoppedByRules(decisions, wave.lastAtMs, rulesOf);
}

async function existing(places: DraftParts['places'], author: Author, { id, name, kind }: DraftEntry['list']) {
  if (id !== null) return { id, name, kind };
  const created = await places.createList(author, { name, kind });
  return { id: created.id, name, kind };
}

/** The list for a kind of entry; names are unique, so a list of the other kind may have taken the usual one. */
function listFor(lists: readonly DraftList[], kind: 'ip' | 'asn'): DraftEntry['list'] {
  const named = (name: string) => lists.find((list) => list.name.toLowerCase() === name.toLowerCase());
  for (const name of [listName, `${listName} (${kind})`]) {
    const list = named(name);
    if (list === undefined) return { id: null, name, kind };
    if (list.kind === kind) return { id: list.id, name: list.name, kind };
  }
  return { id: null, name: `${listName} (${kind}, drafted)`, kind };
}

/** The rule with the id of its list; null while there is none. */
function withList(rule: ProposedRule, listId: string | null): DraftRule {
  const conditions = rule.conditions.map(
    (condition): DraftCondition => (condition.value === draftList ? { ...condition, value: listId } : condition),
  );
  return { ...rule, conditions };
}

/** A live rule that acts on the same sign-ups; one that blocks also does what a challenge would. */
function isSameRule(live: Rule, draft: DraftRule): boolean {
  const isEnough = live.action === draft.action || (live.action === 'block' && draft.action === 'challenge');
  return isEnough && live.conditions.length === draft.conditions.length && textOf(live) === textOf(draft);
}

const textOf = ({ conditions }: { readonly conditions: readonly DraftCondition[] }): string =>
  JSON.stringify(conditions.map(({ field, operator, value }) => [field, operator, value]).sort());
