import { type CustomList, listLimits } from '../../custom-lists/custom-list.ts';
import { keyOf, takenListIds } from '../../custom-lists/custom-lists-store.ts';
import { accountBytes, bytesOf } from '../../custom-lists/entry-bytes-store.ts';
import { type MovedList, readListDocument } from '../../custom-lists/list-document.ts';
import type { Author } from '../../http/endpoint.ts';
import type { ListKind } from '../../list-kind.ts';
import { chunksOf } from '../../platform/chunks-of.ts';
import { ulid, ulidIn } from '../../ulid.ts';
import type { Service } from '../open-service.ts';

/** The lists of a document before they are written. */
export interface ListImport {
  /** The id that a list has here, by the id it has in the document. */
  idOf(had: string): string;
  /** The kind of a list, of the environment or of the document, by its id here. */
  kindOf(listId: string): ListKind | undefined;
  /** Creates missing lists and adds the entries. */
  write(): Promise<{ readonly created: number; readonly merged: number }>;
}

/** The target of an import of lists. */
export interface ImportTarget {
  readonly service: Service;
  readonly author: Author;
  readonly nowMs: number;
}

interface Target {
  readonly list: MovedList;
  readonly id: string;
  readonly isNew: boolean;
}

/** Plans the import of lists; a list whose name exists in the environment is merged. An impossible import throws before any write. */
export async function planListImport(into: ImportTarget, document: unknown): Promise<ListImport> {
  const { service, author, nowMs } = into;
  const store = service.stores.customLists;
  const moved = await readListDocument(document, nowMs);
  const own = await store.list(author, nowMs);
  const targets = await targetsOf(into, moved, own);
  await rejectBeyondLimits(into, targets, own);
  const kinds = new Map(
    [...own, ...targets.map(({ list, id }) => ({ ...list, id }))].map(({ id, kind }) => [id, kind]),
  );
  const ids = new Map(targets.map(({ list, id }) => [String(list.had), id]));
  return {
    idOf: (had) => ids.get(had) ?? had,
    kindOf: (listId) => kinds.get(listId),
    async write() {
      const fresh = targets.filter(({ isNew }) => isNew).map(({ list, id }) => ({ ...list, id }));
      const result = fresh.length === 0 ? 'created' : await store.create(author, fresh, listLimits.lists, nowMs);
      if (result !== 'created') throw new Error('the lists of the environment changed meanwhile. Nothing was imported');
      for (const target of targets) await writeEntries(into, target);
      return { created: fresh.length, merged: targets.length - fresh.length };
    },
  };
}

async function targetsOf(
  { service, nowMs }: ImportTarget,
  moved: readonly MovedList[],
  own: readonly CustomList[],
): Promise<Target[]> {
  const taken = await takenListIds(
    service.db,
    moved.flatMap(({ had }) => idIn(had) ?? []),
  );
  const seen = new Set<string>();
  return moved.map((list, index) => {
    const name = keyOf(list.name);
    if (seen.has(name)) throw new Error(`the document has two lists named "${list.name}". Nothing was imported`);
    seen.add(name);
    const known = own.find((each) => keyOf(each.name) === name);
    if (known === undefined) {
      const had = idIn(list.had);
      // Lists are shown in the order of their ids.
      const id = had === null || taken.has(had) ? ulid(nowMs + index).toLowerCase() : had;
      taken.add(id);
      return { list, id, isNew: true };
    }
    if (known.kind === list.kind) return { list, id: known.id, isNew: false };
    throw new Error(
      `the list "${known.name}" has kind ${known.kind}, the document has ${list.kind}. Nothing was imported`,
    );
  });
}

const idIn = (had: unknown): string | null => (typeof had === 'string' ? (ulidIn(had)?.toLowerCase() ?? null) : null);

async function rejectBeyondLimits(
  { service, author, nowMs }: ImportTarget,
  targets: readonly Target[],
  own: readonly CustomList[],
): Promise<void> {
  const fresh = targets.filter(({ isNew }) => isNew).length;
  const room = listLimits.lists - own.length;
  if (fresh > room)
    throw new Error(`there is room for ${room} more lists, the document has ${fresh} new ones. Nothing was imported`);
  const entries = service.stores.listEntries;
  let bytes = await accountBytes(service.db.read, author.accountId);
  for (const { list, id } of targets) {
    const keys = list.entries.map(({ key }) => key);
    const count = own.find((each) => each.id === id)?.entriesCount ?? 0;
    const known = await entries.known(id, keys, nowMs);
    const total = count + keys.length - known.live;
    bytes += list.entries.reduce((sum, entry) => sum + bytesOf(entry), 0) - known.bytes;
    if (total > listLimits.entries)
      throw new Error(
        `the list "${list.name}" would have ${total} entries, the limit is ${listLimits.entries}. Nothing was imported`,
      );
  }
  if (bytes > listLimits.accountBytes)
    throw new Error(
      `the account's lists would have ${bytes} bytes, the limit is ${listLimits.accountBytes}. Nothing was imported`,
    );
}

async function writeEntries({ service, author, nowMs }: ImportTarget, { list, id }: Target): Promise<void> {
  const entries = service.stores.listEntries;
  for (const batch of chunksOf(list.entries, listLimits.entriesPerRequest)) {
    const written = await entries.put(author, id, { entries: batch, limits: listLimits }, nowMs);
    if (written === null || typeof written === 'string')
      throw new Error(
        `the list "${list.name}" changed meanwhile and was not imported completely. Run the import again`,
      );
  }
}
