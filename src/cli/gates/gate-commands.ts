import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { listDocument } from '../../custom-lists/list-document.ts';
import { AppError } from '../../errors.ts';
import { writeFileAtomic } from '../../files/atomic-file.ts';
import { rejectUnfitLists } from '../../gates/custom-lists.ts';
import type { Gate } from '../../gates/gate.ts';
import { gateSummaryBody } from '../../gates/gate-body.ts';
import { gateDocument, keepFree, readGateDocument } from '../../gates/gate-document.ts';
import { newGateInput } from '../../gates/gate-input.ts';
import { allGates, gateOf, maxGates } from '../../gates/gates.ts';
import { listIdOf, listIdsOf } from '../../gates/rules/list-condition.ts';
import { takenIds } from '../../gates/taken-ids-store.ts';
import type { Author, Owner } from '../../http/endpoint.ts';
import { accept } from '../../input/accept.ts';
import { isPlainObject } from '../../input/json-value.ts';
import { type Command, type Invocation, type Output, required, table } from '../command.ts';
import { type Service, withOwner } from '../open-service.ts';
import type { Stores } from '../open-stores.ts';
import { ownerOptions, ownerUsage } from '../owner-options.ts';
import { type ImportTarget, type ListImport, planListImport } from './import-lists.ts';

/** `signalpost gates …`. */
export const gateCommands: readonly Command[] = [
  {
    name: 'gates create',
    usage: `${ownerUsage} --name N [--default-action A] [--preset P]`,
    summary: 'Create a gate, with the rules for a sign-up form unless --preset none',
    options: {
      ...ownerOptions,
      name: { type: 'string', value: 'N', help: 'its name' },
      'default-action': { type: 'string', value: 'A', help: 'allow (default), block or challenge, if no rule matches' },
      preset: { type: 'string', value: 'P', help: 'signup (default), or none for a gate without rules' },
    },
    example: 'gates create --account ACCOUNT_ID --environment production --name "Sign-up"',
    positionals: [0, 0],
    run(invocation) {
      const name = required(invocation, 'name');
      return withOwner(invocation, (service, author) => createGate(service, author, { ...invocation.options, name }));
    },
  },
  {
    name: 'gates list',
    usage: ownerUsage,
    summary: "List an environment's gates: id, name, rules, default action",
    options: ownerOptions,
    example: 'gates list --account ACCOUNT_ID --environment production',
    positionals: [0, 0],
    run: (invocation) => withOwner(invocation, listGates),
  },
  {
    name: 'gates export',
    usage: `${ownerUsage} [FILE]`,
    summary:
      'Write the gates of an environment with their rules, ids and custom lists as JSON, to a file or to standard output',
    options: ownerOptions,
    example: 'gates export --account ACCOUNT_ID --environment production gates.json',
    positionals: [0, 1],
    run: (invocation) => withOwner(invocation, (service, owner) => exportGates(service, owner, invocation)),
  },
  {
    name: 'gates import',
    usage: `${ownerUsage} [FILE]`,
    summary:
      'Add the gates and custom lists of an exported document, from a file or standard input; ids that are free are kept',
    options: ownerOptions,
    example: 'gates import --account ACCOUNT_ID --environment staging gates.json',
    positionals: [0, 1],
    run: (invocation) => withOwner(invocation, (service, author) => importGates(service, author, invocation)),
  },
];

async function createGate(
  { stores }: Service,
  author: Author,
  { name, 'default-action': defaultAction, preset }: Invocation['options'],
): Promise<Output> {
  const sent = { name, ...(defaultAction && { default_action: defaultAction }), ...(preset && { preset }) };
  const given = await withProblems(async () => accept(newGateInput, sent), 'created');
  const gate = gateOf(given, Date.now());
  if (!(await stores.gates.insert(author, gate, maxGates))) throw new AppError('gate_limit_reached');
  const { id, rules } = gate;
  return {
    json: { id, name, rules_count: rules.length },
    text: `Created gate ${id} with ${rules.length} rules; POST /v1/gates/${id}/decisions decides`,
  };
}

async function listGates({ stores }: Service, owner: Owner): Promise<Output> {
  const gates = await stores.gates.list(owner, allGates, null);
  const rows = gates.map(({ id, name, rulesCount, defaultAction }) => [id, name, String(rulesCount), defaultAction]);
  return {
    json: gates.map(gateSummaryBody.body),
    text: gates.length === 0 ? 'No gates' : table(['id', 'name', 'rules', 'default'], rows),
  };
}

async function exportGates({ stores }: Service, owner: Owner, invocation: Invocation): Promise<Output> {
  const store = stores.gates;
  const found = await Promise.all((await store.list(owner, allGates, null)).map(({ id }) => store.find(owner, id)));
  // Oldest first, so that an import of it restores the order.
  const gates = found.filter((gate) => gate !== null).toReversed();
  const lists = await listsOf(stores, owner, gates);
  const document = { ...gateDocument(gates), ...(lists.length > 0 && { lists }) };
  const [name = '-'] = invocation.positionals;
  if (name === '-') return { json: document, text: JSON.stringify(document, null, 2) };
  const file = resolve(name);
  writeFileAtomic(file, `${JSON.stringify(document, null, 2)}\n`);
  return { json: { file, exported: found.length }, text: `Exported ${found.length} gates to ${file}` };
}

async function importGates(service: Service, author: Author, invocation: Invocation): Promise<Output> {
  const into = { service, author, nowMs: Date.now() };
  const { ids, gates, lists } = await withProblems(() => readImport(into, invocation));
  const store = service.stores.gates;
  const room = maxGates - (await store.counted(author));
  if (gates.length > room) {
    throw new Error(`there is room for ${room} more gates, the document has ${gates.length}. Nothing was imported`);
  }
  const { created, merged } = await lists.write();
  for (const gate of gates) await store.insert(author, gate, maxGates);
  const had = new Set(ids);
  const json = gates.map(({ id, name }) => ({ id, name, id_kept: had.has(id) }));
  const lines = json.map(({ id, name, id_kept }) => `${id} ${name}${id_kept ? '' : ' (a new id)'}`);
  if (created + merged > 0) lines.push(`Lists: ${created} created, ${merged} merged`);
  const counts = { imported: gates.length, lists_created: created, lists_merged: merged };
  return { json: { ...counts, gates: json }, text: lines.join('\n') };
}

function readInput({ positionals: [name = '-'], io }: Invocation): Promise<string> {
  return readText(name === '-' ? io.stdin : createReadStream(resolve(name)));
}

/** The lists that the rules of gates use, with their entries; both oldest first. */
async function listsOf({ customLists, listEntries }: Stores, owner: Owner, gates: readonly Gate[]): Promise<object[]> {
  const used = new Set(listIdsOf(gates.flatMap(({ rules }) => rules)));
  const nowMs = Date.now();
  const lists = (await customLists.list(owner, nowMs)).filter(({ id }) => used.has(id)).toReversed();
  return Promise.all(
    lists.map(async (list) => listDocument(list, await Array.fromAsync(listEntries.all(list.id, nowMs)))),
  );
}

/** Reads a document; its conditions name lists by the ids that they have here. */
async function readImport(into: ImportTarget, invocation: Invocation) {
  const { service, nowMs } = into;
  const document = parsed(await readInput(invocation));
  const { lists: sentLists = [], ...sentGates } = isPlainObject(document) ? document : { lists: [] };
  const { ids, make } = readGateDocument(isPlainObject(document) ? sentGates : document);
  const lists = await planListImport(into, sentLists);
  const made = make(keepFree(await takenIds(service.db, ids), nowMs), nowMs);
  const gates = made.map((gate) => ({ ...gate, rules: gate.rules.map((rule) => withLists(rule, lists)) }));
  for (const [index, { rules }] of gates.entries()) {
    const numbered = rules.map((rule, place) => [`gates.${index}.rules.${place}.`, rule] as const);
    rejectUnfitLists(numbered, lists.kindOf);
  }
  return { ids, gates, lists };
}

function withLists<R extends Gate['rules'][number]>(rule: R, { idOf }: ListImport): R {
  const conditions = rule.conditions.map((condition) => {
    const listId = listIdOf(condition);
    return listId === null ? condition : { ...condition, value: idOf(listId) };
  });
  return { ...rule, conditions };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the input is not JSON; nothing was imported');
  }
}

async function withProblems<T>(read: () => Promise<T>, done = 'imported'): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AppError) || error.errors === undefined) throw error;
    const problems = Object.entries(error.errors).map(([path, messages]) => `${path}: ${messages.join(' ')}`);
    throw new Error(`${problems.join('; ')} Nothing was ${done}`, { cause: error });
  }
}
