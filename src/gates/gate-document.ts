import { accept } from '../input/accept.ts';
import { type Input, refused } from '../input/input.ts';
import { isPlainObject } from '../input/json-value.ts';
import { items, list } from '../input/list.ts';
import { object } from '../input/object.ts';
import { ulid } from '../ulid.ts';
import type { Gate } from './gate.ts';
import { gateBody } from './gate-body.ts';
import { withRules } from './gate-edits.ts';
import { type NewGate, newGateInput } from './gate-input.ts';
import { gateIdIn, maxGates } from './gates.ts';
import { presetRules } from './preset.ts';

/** Gates with their rules and ids, as they move between environments, accounts and machines. */
export function gateDocument(gates: readonly Gate[]): object {
  return { gates: gates.map(gateBody.body) };
}

/** A gate as one that is created is read, and the id it had where it came from. */
const movedGate: Input<{ readonly had: unknown; readonly gate: NewGate }> = {
  schema: newGateInput.schema,
  read(value, path, problems) {
    const gate = newGateInput.read(value, path, problems);
    return gate === refused ? refused : { had: isPlainObject(value) ? value.id : null, gate };
  },
};

const documentInput = object({
  gates: list('The gates', movedGate, {
    limits: [items(1, maxGates, `A document has 1 to ${maxGates} gates.`)],
  }),
});

/** Gates that were read. */
export interface MovedGates {
  /** Every id in the document. */
  readonly ids: readonly string[];
  /** The gates; `idOf` maps each id of the document to the id to use here. */
  make(idOf: (had: unknown) => string, nowMs: number): Gate[];
}

/** Reads a document of gates, each as strict as one that is created; throws `validation_failed` with everything wrong. */
export function readGateDocument(document: unknown): MovedGates {
  const gates = accept(documentInput, document).gates.map(({ had, gate: { rules, ...gate } }) => ({
    had,
    gate,
    rules: typeof rules === 'string' ? presetRules(rules).map((draft) => ({ id: null, draft })) : rules,
  }));
  return {
    ids: gates
      .flatMap(({ had, rules }) => [had, ...rules.map(({ id }) => id)].map(idOfText))
      .filter((id) => id !== null),
    make: (idOf, nowMs) =>
      gates.map(({ had, gate, rules }) => {
        const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
        const own = rules.map(({ id, draft }) => ({ ...draft, id: idOf(id), ...times }));
        return withRules({ ...gate, id: idOf(had), rules: [], revision: 1, ...times }, own, nowMs, 'rules');
      }),
  };
}

const idOfText = (had: unknown): string | null => (typeof had === 'string' ? gateIdIn(had) : null);

/** Keeps the first use of an id that is free; everything else gets a new id, in ascending order, in which gates are shown. */
export function keepFree(taken: ReadonlySet<string>, nowMs: number): (had: unknown) => string {
  const given = new Set(taken);
  let made = 0;
  return (had) => {
    const known = idOfText(had);
    const id = known !== null && !given.has(known) ? known : ulid(nowMs + made++).toLowerCase();
    given.add(id);
    return id;
  };
}
