// node bench/learning-report.ts [SEEN] [SEED]: how many new domains of disposable services the learnt mail servers find, and how many
// ordinary domains they flag, in a made-up DNS on loopback. SEEN is the share of all domains that were looked up before (0.2).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import disposableMxTable from '../data/disposable-mx.json' with { type: 'json' };
import mxProviderTable from '../data/mx-providers.json' with { type: 'json' };
import { parseDomain } from '../src/address/domain.ts';
import { openDatabase } from '../src/db/db.ts';
import { learnDomains } from '../src/learning/learn-domains.ts';
import { createMailHosts } from '../src/learning/mail-hosts.ts';
import { createMailHostsStore } from '../src/learning/mail-hosts-store.ts';
import { createFactsStore, type Fact } from '../src/lookups/facts-store.ts';
import { compileDisposableMx, disposableMail } from '../src/mail/disposable-mx.ts';
import { longestSuffix } from '../src/mail/host-suffix.ts';
import { readMx } from '../src/mail/mx.ts';
import { compileMxProviders } from '../src/mail/mx-providers.ts';
import { createDns } from '../src/net/dns/dns.ts';
import { startDnsServer } from '../test/dns-server.ts';
import { type Member, makeWorld } from './learning-zones.ts';

const [seen = 0.2, seed = 1] = process.argv.slice(2).map(Number);
const { members, listedServices } = makeWorld(seed);
const byName = new Map(members.map((member) => [member.name, member]));
const server = await startDnsServer(
  Object.fromEntries(
    members
      .filter(({ hosts }) => hosts.length > 0)
      .map(({ name, hosts }) => [name, { MX: hosts.map((host): [number, string] => [10, host]) }]),
  ),
);
const dataDir = mkdtempSync(join(tmpdir(), 'signalpost-learning-'));
const db = await openDatabase({ url: null, dataDir });
const dns = createDns({ servers: [server.address], offline: false, now: Date.now });
try {
  const known = compileMxProviders(mxProviderTable.entries).bySuffix;
  const table = compileDisposableMx(disposableMxTable.entries);
  const hosts = createMailHosts({
    store: createMailHostsStore(db),
    trustOf: (name) => (byName.get(name)?.isListed ? 'listed' : 'other'),
    isExempt: (host) => longestSuffix(host, known) !== null || longestSuffix(host, table) !== null,
    isListed: (host) => listedServices.has(host),
    now: Date.now,
  });
  const ask = (domain: Parameters<typeof readMx>[0]) => readMx(domain, dns, { atMs: Date.now() + 60_000 });
  const lookedUp = members.filter(({ seenFrom }) => seenFrom < seen);
  // Lookups store facts; `lists learn` does not.
  await createFactsStore(db).save(lookedUp.flatMap(factsOf));
  const { asked, unanswered } = await learnDomains({
    names: members.filter((member) => member.isListed || member.seenFrom < seen).map(({ name }) => name),
    rate: 100,
    hosts,
    ask,
    confirm: async () => {},
    onProgress() {},
  });
  const learnt = await hosts.recount();
  console.log(`${asked} domains queried, ${unanswered} without an answer, ${learnt} mail servers learnt`);
  let unknown = unanswered;
  const found: { kind: string; isDisposable: boolean; isFlagged: boolean }[] = [];
  for (const { name, kind, isDisposable, isListed } of members) {
    const domain = parseDomain(name);
    if (isListed || domain === null) continue;
    const mx = await ask(domain);
    if (!mx.known) unknown += 1;
    const isFlagged = mx.known && disposableMail(domain, mx.value, table, hosts.sharedBy) !== null;
    found.push({ kind, isDisposable, isFlagged });
  }
  for (const isDisposable of [true, false]) {
    const rows = found.filter((row) => row.isDisposable === isDisposable);
    console.log(isDisposable ? '\nnew domains of disposable services, flagged' : '\nordinary domains, flagged');
    for (const [kind, ofKind] of [...Map.groupBy(rows, (row) => row.kind), ['**all**', rows] as const]) {
      console.log(`| ${kind} | ${ofKind.length} | ${ofKind.filter((row) => row.isFlagged).length} |`);
    }
  }
  if (unknown > 0) {
    console.error(`\nThese figures are invalid: ${unknown} queries had no answer. Run this again on an idle machine.`);
    process.exitCode = 1;
  }
} finally {
  dns.close();
  await server.close();
  await db.close();
  rmSync(dataDir, { recursive: true, force: true });
}

function factsOf({ name: domain, hosts, hasDate, registeredDay }: Member): Fact[] {
  const stored = { domain, source: 'made up', learntAtMs: Date.now() };
  return [
    { ...stored, kind: 'mx', value: hosts },
    { ...stored, kind: 'registration', value: hasDate ? registeredDay * 86_400_000 : null },
  ];
}
