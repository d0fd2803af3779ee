import { parseDomain } from '../address/domain.ts';
import { AppError } from '../errors.ts';
import type { Author, Owner } from '../http/endpoint.ts';
import { createYielder } from '../platform/yielding.ts';
import type { BlocklistStore } from './blocklist-store.ts';
import type { Membership } from './membership.ts';
import { type RefusalReason, refusalOf } from './refusals.ts';
import type { StoredEntry } from './stored-list-store.ts';

/** A domain on a blocklist. */
export interface BlocklistEntry {
  /** Normalised: lower case, ASCII. */
  readonly domain: string;
  /** The readable form; equal to `domain` when nothing is internationalised. */
  readonly unicode: string;
  readonly createdAtMs: number;
  /** Why it is listed; null when no reason was given. */
  readonly reason: string | null;
}

/** Why domains are listed, by their ASCII form. */
export type Reasons = ReadonlyMap<string, string>;

/** The result of a bulk add, each part in the order of the request. */
export interface BulkResult {
  readonly added: readonly BlocklistEntry[];
  readonly refused: readonly Refusal[];
  /** The number of listed domains that got another reason; they are among the refused ones. */
  readonly changed: number;
}

/** A value of a bulk request that was not added. */
export interface Refusal {
  readonly value: string;
  readonly reason: RefusalReason;
}

/** The result of a bulk removal. */
export interface ManyRemoved {
  readonly removed: readonly string[];
  /** As sent in the request. */
  readonly missing: readonly string[];
}

/** One page of a list, newest entries first. */
export interface EntryPage {
  readonly total: number;
  readonly entries: readonly BlocklistEntry[];
}

/** The customer's own list. */
export interface Blocklist {
  /** Throws when the text is not a domain, or is already listed, or when the list holds `maxEntries`. */
  add(author: Author, text: string, maxEntries: number): Promise<BlocklistEntry>;
  /** Adds valid new domains until the list holds `maxEntries`, and gives listed ones their new reasons; changes nothing when storage fails. */
  addMany(author: Author, values: readonly unknown[], maxEntries: number, reasons?: Reasons): Promise<BulkResult>;
  /** Throws `domain_not_listed`. */
  find(owner: Owner, text: string): Promise<BlocklistEntry>;
  /** Throws `domain_not_listed`. */
  remove(author: Author, text: string): Promise<void>;
  /** Removes the domains that are listed; removes none when storage fails. */
  removeMany(author: Author, texts: readonly string[]): Promise<ManyRemoved>;
  page(owner: Owner, skip: number, limit: number): Promise<EntryPage>;
  /** Every entry, oldest first. */
  all(owner: Owner): AsyncGenerator<BlocklistEntry>;
}

/** Entries per read for `all`. */
const chunk = 2_000;

/** Notifies `membership` of every committed change. */
export function createBlocklist(
  store: BlocklistStore,
  membership: Pick<Membership, 'changedHere'>,
  now: () => number,
): Blocklist {
  const insert = createInsert(store, membership, now);
  return {
    async add(author, text, maxEntries) {
      const domain = parseDomain(text);
      if (domain === null) throw refusalOf('invalid_domain', maxEntries);
      const { added, withoutRoom } = await insert(author, new Map([[domain.ascii, domain.unicode]]), maxEntries);
      const [entry] = added;
      if (entry === undefined) throw refusalOf(reasonOf(domain.ascii, withoutRoom), maxEntries);
      return entry;
    },
    async addMany(author, values, maxEntries, reasons) {
      const { domains, valid } = await parseInTurns(values);
      const inserted = valid.size === 0 ? nothing : await insert(author, valid, maxEntries, reasons);
      return { added: inserted.added, refused: refusals(values, domains, inserted), changed: inserted.changed };
    },
    async find(owner, text) {
      const domain = normalised(text);
      const stored = domain === null ? null : await store.find(owner, domain);
      if (stored === null) throw new AppError('domain_not_listed');
      return toEntry(stored);
    },
    async remove(author, text) {
      const domain = normalised(text);
      const { seq, removed } = await store.remove(author, domain === null ? [] : [domain], now());
      if (removed.length === 0) throw new AppError('domain_not_listed');
      membership.changedHere(author, { seq, domains: removed, listed: false });
    },
    async removeMany(author, texts) {
      const requested = texts.map((text) => ({ text, domain: normalised(text) }));
      const domains = [...new Set(requested.flatMap(({ domain }) => domain ?? []))];
      const { seq, removed } = await store.remove(author, domains, now());
      if (removed.length > 0) membership.changedHere(author, { seq, domains: removed, listed: false });
      const found = new Set(removed);
      const missing = requested.filter(({ domain }) => domain === null || !found.has(domain)).map(({ text }) => text);
      return { removed, missing };
    },
    async page(owner, skip, limit) {
      const { total, entries } = await store.page(owner, skip, limit);
      return { total, entries: entries.map(toEntry) };
    },
    all: (owner) => entriesOf(store, owner),
  };
}

/** Adds domains, by their readable forms, as far as the list has room. */
function createInsert(store: BlocklistStore, membership: Pick<Membership, 'changedHere'>, now: () => number) {
  return async (
    author: Author,
    readable: ReadonlyMap<string, string>,
    maxEntries: number,
    reasons?: Reasons,
  ): Promise<Inserted> => {
    const nowMs = now();
    const wanted = { domains: [...readable.keys()], maxEntries, reasons };
    const { seq, added, withoutRoom, changed } = await store.add(author, wanted, nowMs);
    if (added.length > 0) membership.changedHere(author, { seq, domains: added, listed: true });
    const entryOf = (domain: string) => ({
      domain,
      unicode: readable.get(domain) ?? domain,
      createdAtMs: nowMs,
      reason: reasons?.get(domain) ?? null,
    });
    return { added: added.map(entryOf), withoutRoom: new Set(withoutRoom), changed: changed.length };
  };
}

/** The domain of each value, null for an invalid one, and the readable forms of all domains. */
async function parseInTurns(values: readonly unknown[]) {
  const domains: (string | null)[] = [];
  const valid = new Map<string, string>();
  const yieldWhenDue = createYielder();
  for (const value of values) {
    const pause = yieldWhenDue();
    if (pause !== null) await pause;
    const domain = typeof value === 'string' ? parseDomain(value) : null;
    domains.push(domain?.ascii ?? null);
    if (domain !== null) valid.set(domain.ascii, domain.unicode);
  }
  return { domains, valid };
}

async function* entriesOf(store: BlocklistStore, owner: Owner): AsyncGenerator<BlocklistEntry> {
  for (let seq = 0; ; ) {
    const entries = await store.after(owner, seq, chunk);
    yield* entries.map(toEntry);
    const last = entries.at(-1);
    if (last === undefined) return;
    seq = last.seq;
  }
}

interface Inserted {
  readonly added: readonly BlocklistEntry[];
  readonly withoutRoom: ReadonlySet<string>;
  readonly changed: number;
}

const nothing: Inserted = { added: [], withoutRoom: new Set(), changed: 0 };

/** Why a valid domain was not added. */
const reasonOf = (domain: string, withoutRoom: ReadonlySet<string>): RefusalReason =>
  withoutRoom.has(domain) ? 'blocklist_full' : 'already_blocklisted';

const normalised = (text: string): string | null => parseDomain(text)?.ascii ?? null;

/** Each repetition of an invalid value counts; a repeated domain counts once. */
function refusals(
  values: readonly unknown[],
  domains: readonly (string | null)[],
  { added, withoutRoom }: Inserted,
): Refusal[] {
  const seen = new Set(added.map((entry) => entry.domain));
  return domains.flatMap((domain, index): Refusal[] => {
    if (domain === null) return [{ value: asText(values[index]), reason: 'invalid_domain' }];
    if (seen.has(domain)) return [];
    seen.add(domain);
    return [{ value: domain, reason: reasonOf(domain, withoutRoom) }];
  });
}

const asText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** A stored entry with its readable form. */
export function toEntry({ domain, createdAtMs, reason }: StoredEntry): BlocklistEntry {
  const unicode = domain.includes('xn--') ? (parseDomain(domain)?.unicode ?? domain) : domain;
  return { domain, unicode, createdAtMs, reason };
}
