import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseAddress } from '../../address/address.ts';
import { parseDomain } from '../../address/domain.ts';
import { parseIp } from '../../address/ip.ts';
import { normalizeAddress } from '../../address/normalize.ts';
import { findEntry, rewriteBlocklistReasons } from '../../blocklist/stored-list-store.ts';
import { entryValueIn } from '../../custom-lists/entry-value.ts';
import { listsNaming } from '../../custom-lists/lists-naming.ts';
import type { Db } from '../../db/db.ts';
import { type AddressKeys, shownDevice } from '../../gates/decisions/address-key.ts';
import type { LogFilter } from '../../gates/decisions/decisions-store.ts';
import { deviceOf, hookOf, logRowBody } from '../../gates/decisions/logged-decision.ts';
import { rewriteReasons } from '../../gates/decisions/outcomes-store.ts';
import { rewriteCountedNames } from '../../gates/decisions/stats-store.ts';
import {
  eraseLogged,
  eraserOf,
  filtersFor,
  filtersForDevice,
  loggedAbout,
  type SubjectKind,
} from '../../gates/decisions/subject-log.ts';
import { rewriteRevisions } from '../../gates/revisions-store.ts';
import { environments, type Owner } from '../../http/endpoint.ts';
import { removeSeenBy } from '../../seen/seen-retention.ts';
import { loadSubjectHashes } from '../../traffic/feature.ts';
import { eraseTraffic } from '../../traffic/traffic-erasure.ts';
import { pruneRemovedDeliveries, rewriteDeliveries } from '../../webhooks/removal-store.ts';
import { type Command, type Invocation, required, UsageError } from '../command.ts';
import { type Service, withService } from '../open-service.ts';
import type { Stores } from '../open-stores.ts';
import { accountOption } from '../owner-options.ts';

const kinds = ['email', 'domain', 'ip', 'device'] as const;
const usage = '--account ID (--email E | --domain D | --ip I | --device D)';
const options: Command['options'] = {
  account: accountOption,
  email: { type: 'string', value: 'E', help: 'the address of the person' },
  domain: { type: 'string', value: 'D', help: 'or a domain' },
  ip: { type: 'string', value: 'I', help: 'or an IP address' },
  device: { type: 'string', value: 'D', help: 'or the identifier of a device' },
};
const rowsAtOnce = 1_000;

/** `signalpost decisions …`. */
export const decisionCommands: readonly Command[] = [
  {
    name: 'decisions export',
    usage,
    summary: 'Write the log entries of an account about a person, one JSON document per line',
    options,
    example: 'decisions export --account ACCOUNT_ID --email jane@example.com',
    positionals: [0, 0],
    run: (invocation) =>
      aboutSubject(invocation, async ({ stores, decisions }, { accountId, filters }) => {
        const parts = { decisions, log: stores.subjectLog };
        async function* lines(): AsyncGenerator<string> {
          for await (const { gate, row } of loggedAbout(parts, accountId, filters)) {
            const { id, ...entry } = logRowBody.body(row);
            yield `${JSON.stringify({ id, gate_id: gate.id, environment: gate.environment, ...entry, device: deviceOf(row), hook_id: hookOf(row) })}\n`;
          }
        }
        await pipeline(Readable.from(lines()), invocation.io.stdout, { end: false });
        return null;
      }),
  },
  {
    name: 'decisions erase',
    usage,
    summary: 'Permanently remove what the log, the audit trail and earlier revisions of an account say about a person',
    options,
    example: 'decisions erase --account ACCOUNT_ID --email jane@example.com',
    positionals: [0, 0],
    run: (invocation) =>
      aboutSubject(invocation, async (service, { accountId, kind, value, filters }) => {
        const { db, stores, decisions, by } = service;
        const erased = await eraseLogged({ decisions, log: stores.subjectLog }, accountId, filters);
        // Logs of deleted gates that are not removed yet may concern the subject too.
        while ((await decisions.pruneRemoved(rowsAtOnce)) > 0);
        const named = await eraseCounts(service, { accountId, kind, value });
        const act = { action: 'decisions.erased', subject: accountId, accountId, detail: { by: kind, erased } };
        await stores.audit.record(by, act, Date.now());
        await db.scrub();
        return {
          json: named.length === 0 ? { erased } : { erased, still_named_by: named },
          text: [
            `Erased ${erased} logged decisions`,
            ...named.map((what) => `Still named by ${what}: change it there`),
          ].join('\n'),
        };
      }),
  },
];

/** Removes the subject from counts, sightings and everything that names it; returns the live gates and lists that still do. */
async function eraseCounts(
  service: Service,
  { accountId, kind, value }: Pick<Subject, 'accountId' | 'kind' | 'value'>,
): Promise<string[]> {
  const { db, config, stores } = service;
  const keys = await service.addressKeys();
  const keysOf = (owner: Owner): readonly string[] => keys.allDevices(owner, value);
  await eraseTraffic(
    stores.traffic,
    await loadSubjectHashes({ db, config }),
    environments.map((environment) => ({ accountId, environment })),
    kind === 'device' ? { kind, keysOf } : { kind, text: value },
    Date.now(),
  );
  await eraseWaves(stores, keys, { accountId, kind, value });
  if (kind === 'device') return [];
  if (kind === 'domain') await eraseSightings(stores, accountId, value);
  return eraseNames(service, accountId, kind, value);
}

/** Removes the subject from the audit trail, earlier revisions, statistics and stored deliveries; returns the live gates and lists that still name it. */
async function eraseNames(
  { db, stores }: Service,
  accountId: string,
  kind: SubjectKind,
  text: string,
): Promise<string[]> {
  const rewrite = eraserOf(kind, text);
  const { audit } = stores;
  await audit.rewriteDetails(accountId, rewrite);
  if (kind === 'ip') await audit.forgetOrigin(accountId, parseIp(text)?.text ?? text);
  await rewriteCountedNames(db, accountId, rewrite);
  await rewriteReasons(db, accountId, rewrite);
  await rewriteBlocklistReasons(db, accountId, rewrite);
  while ((await pruneRemovedDeliveries(db, rowsAtOnce)) > 0);
  await rewriteDeliveries(db, accountId, rewrite);
  const gates = await rewriteRevisions(db, accountId, rewrite);
  const named = gates.map(({ id, name }) => `gate ${id} (${name})`);
  const lists = await listsNaming(
    db,
    accountId,
    entryValueIn(kind, text)?.key ?? text.toLowerCase(),
    text.toLowerCase(),
  );
  named.push(...lists.map(({ name, environment }) => `the list "${name}" of ${environment}`));
  if (kind !== 'domain') return named;
  for (const environment of environments) {
    const entry = await findEntry(db, { accountId, environment }, parseDomain(text)?.ascii ?? text);
    if (entry !== null) named.push(`the blocklist of ${environment}`);
  }
  return named;
}

async function eraseSightings({ seen, firstSeen }: Stores, accountId: string, text: string): Promise<void> {
  const domain = parseDomain(text)?.ascii ?? text;
  await removeSeenBy(seen, accountId, domain);
  await firstSeen.remove(accountId, domain, Date.now());
}

/** Removes the waves that are named after the subject. */
async function eraseWaves(
  { waves }: Stores,
  keys: AddressKeys,
  { accountId, kind, value }: Pick<Subject, 'accountId' | 'kind' | 'value'>,
): Promise<void> {
  if (kind === 'domain') {
    const domain = parseDomain(value)?.ascii ?? value;
    await waves.removeNamed(accountId, ['domain', 'mail_server'], [domain]);
    await waves.removeMailboxesAt(accountId, domain);
  }
  const address = kind === 'email' ? parseAddress(value) : null;
  if (address !== null) await waves.removeNamed(accountId, ['mailbox'], keys.allTexts(normalizeAddress(address)));
  if (kind === 'device') {
    const shown = environments.flatMap((environment) =>
      keys.allDevices({ accountId, environment }, value).map((key) => shownDevice(key) ?? ''),
    );
    await waves.removeNamed(accountId, ['device'], shown);
  }
}

interface Subject {
  readonly accountId: string;
  readonly kind: (typeof kinds)[number];
  readonly value: string;
  readonly filters: readonly LogFilter[];
}

function aboutSubject<T>(invocation: Invocation, work: (service: Service, subject: Subject) => Promise<T>): Promise<T> {
  const accountId = required(invocation, 'account');
  const given = kinds.filter((kind) => invocation.options[kind] !== undefined);
  const [kind] = given;
  if (kind === undefined || given.length > 1)
    throw new UsageError('give exactly one of --email, --domain, --ip and --device');
  const value = required(invocation, kind);
  return withService(invocation.config, async (service) => {
    await service.accounts.read(accountId);
    const keys = await service.addressKeys();
    const filters = kind === 'device' ? filtersForDevice(accountId, value, keys) : filtersFor(kind, value, keys);
    const what = { email: 'email address', domain: 'domain', ip: 'IP address', device: 'identifier' }[kind];
    if (filters.length === 0) throw new UsageError(`"${value}" is not ${kind === 'domain' ? 'a' : 'an'} ${what}`);
    const result = await work(service, { accountId, kind, value, filters });
    warnOfDamage(invocation, service.db);
    return result;
  });
}

/** Entries in a damaged part of the log can neither be exported nor removed one by one. */
function warnOfDamage({ io }: Invocation, { damagedBlocks }: Db): void {
  const { decision_segments: damaged = 0 } = damagedBlocks.counts();
  if (damaged === 0) return;
  io.stderr.write(
    `${damaged} damaged parts of the log may hold more about the subject; they were skipped, and are removed when their entries expire\n`,
  );
}
