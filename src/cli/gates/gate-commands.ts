import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { AppError } from '../../errors.ts';
import { writeFileAtomic } from '../../files/atomic-file.ts';
import { gateDocument, keepFree, readGateDocument } from '../../gates/gate-document.ts';
import { takenIds } from '../../gates/gate-import-store.ts';
import { maxGates } from '../../gates/gates.ts';
import { createGatesStore } from '../../gates/gates-store.ts';
import type { Command, Invocation, Output } from '../command.ts';
import { ownerOf, ownerOptions, ownerUsage } from '../owner-options.ts';
import { type Workspace, withWorkspace } from '../workspace.ts';

/** `signalpost gates …`. */
export const gateCommands: readonly Command[] = [
  {
    name: 'gates export',
    usage: `${ownerUsage} [FILE]`,
    summary: 'Write the gates of an environment with their rules and ids as JSON, to a file or to standard output',
    options: ownerOptions,
    example: 'gates export --account ACCOUNT_ID --environment production gates.json',
    positionals: [0, 1],
    run: (invocation) => withWorkspace(invocation.config, (workspace) => exportGates(workspace, invocation)),
  },
  {
    name: 'gates import',
    usage: `${ownerUsage} [FILE]`,
    summary: 'Add the gates of an exported document, from a file or standard input; ids that are free are kept',
    options: ownerOptions,
    example: 'gates import --account ACCOUNT_ID --environment staging gates.json',
    positionals: [0, 1],
    run: (invocation) => withWorkspace(invocation.config, (workspace) => importGates(workspace, invocation)),
  },
];

async function exportGates({ db, accounts }: Workspace, invocation: Invocation): Promise<Output> {
  const owner = ownerOf(invocation);
  await accounts.read(owner.accountId);
  const store = createGatesStore(db);
  const found = await Promise.all((await store.list(owner, maxGates, null)).map(({ id }) => store.find(owner, id)));
  // Oldest first, so that an import of it restores the order.
  const document = gateDocument(found.filter((gate) => gate !== null).toReversed());
  const [name = '-'] = invocation.positionals;
  if (name === '-') return { json: document, text: JSON.stringify(document, null, 2) };
  const file = resolve(name);
  writeFileAtomic(file, `${JSON.stringify(document, null, 2)}\n`);
  return { json: { file, exported: found.length }, text: `Exported ${found.length} gates to ${file}` };
}

async function importGates({ db, accounts, by }: Workspace, invocation: Invocation): Promise<Output> {
  const author = { ...ownerOf(invocation), by };
  await accounts.read(author.accountId);
  const { ids, make } = readDocument(await readInput(invocation));
  const nowMs = Date.now();
  const gates = make(keepFree(await takenIds(db, ids), nowMs), nowMs);
  const store = createGatesStore(db);
  const room = maxGates - (await store.list(author, maxGates, null)).length;
  if (gates.length > room) {
    throw new Error(`there is room for ${room} more gates, the document has ${gates.length}. Nothing was imported`);
  }
  for (const gate of gates) await store.insert(author, gate, maxGates);
  const had = new Set(ids);
  const json = gates.map(({ id, name }) => ({ id, name, id_kept: had.has(id) }));
  const lines = json.map(({ id, name, id_kept }) => `${id} ${name}${id_kept ? '' : ' (a new id)'}`);
  return { json: { imported: gates.length, gates: json }, text: lines.join('\n') };
}

function readInput({ positionals: [name = '-'], io }: Invocation): Promise<string> {
  return readText(name === '-' ? io.stdin : createReadStream(resolve(name)));
}

function readDocument(text: string): ReturnType<typeof readGateDocument> {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new Error('the input is not JSON; nothing was imported');
  }
  try {
    return readGateDocument(document);
  } catch (error) {
    if (!(error instanceof AppError) || error.errors === undefined) throw error;
    const problems = Object.entries(error.errors).map(([path, messages]) => `${path}: ${messages.join(' ')}`);
    throw new Error(`${problems.join('; ')} Nothing was imported`, { cause: error });
  }
}
