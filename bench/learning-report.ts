// node bench/learning-report.ts [SEEN]: how many new domains of disposable services the learnt mail servers find, and how many ordinary
// domains they flag, in a made-up DNS on loopback. SEEN is the share of ordinary domains that were looked up before (0.2). Names and
// numbers are drawn with a fixed seed.
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
import { compileDisposableMx, disposableMail } from '../src/mail/disposable-mx.ts';
import { longestSuffix } from '../src/mail/host-suffix.ts';
import { readMx } from '../src/mail/mx.ts';
import { compileMxProviders } from '../src/mail/mx-providers.ts';
import { createDns } from '../src/net/dns/dns.ts';
import { startDnsServer } from '../test/dns-server.ts';
import { seededRandom } from './seeded-random.ts';

/** What a domain is, for the report; `listed` ones are known to the lists, `seen` ones were looked up before. */
interface Member {
  readonly name: string;
  readonly kind: string;
  readonly isDisposable: boolean;
  readonly isListed: boolean;
  readonly isSeen: boolean;
  /** Without any the name does not exist. */
  readonly hosts: readonly string[];
}

const seenShare = Number(process.argv[2] ?? '0.2');
const random = seededRandom(5);
const chance = (share: number): boolean => random.integer(1_000) < share * 1_000;
const newName = (): string => `${random.label(6 + random.integer(8))}.${random.pick(['com', 'net', 'org'])}`;

const parking = [
  'mx.parkingcrew.net',
  'park-mx.above.com',
  'mx.sedoparking.com',
  'mail.bodis.com',
  'mail.h-email.net',
  'mx1.hostedmxserver.com',
  'mail.parklogic.com',
];
const cloudflare = ['route1.mx.cloudflare.net', 'route2.mx.cloudflare.net'];
const providers = ['mx.zoho.com', 'mx.yandex.net', 'mx1.improvmx.com', 'mx1.forwardemail.net'];
const offices = ['aspmx.l.google.com', 'customer.mail.protection.outlook.com'];
const smallHosts = Array.from({ length: 150 }, (_, index) => `mx.webhost${index}.net`);
/** Servers of services that are below one of their own listed domains. */
const listedHosts = new Set<string>();
const cheapHosts = Array.from({ length: 5 }, (_, index) => `mx.cheaphost${index}.net`);

/** 300 services with 5 to 80 domains each. Of the domains lists know three in four; a third of those have expired since. */
function services(): Member[] {
  return Array.from({ length: 300 }, (_, service) => {
    const kind = setupOf(random.integer(100));
    const provider = random.pick(providers);
    if (kind === 'one server, below a listed domain') listedHosts.add(`mx.service${service}.net`);
    return Array.from({ length: random.pick([5, 10, 20, 40, 80]) }, (): Member => {
      const name = newName();
      const isListed = chance(0.75);
      const hosts = hostsOf(kind, service, name, provider);
      const fate = isListed ? random.integer(100) : 100;
      const isSeen = !isListed && chance(seenShare);
      if (fate < 20) return { name, kind, isDisposable: true, isListed, isSeen, hosts: [] };
      const isParked = fate < 33;
      return {
        name,
        kind,
        isDisposable: true,
        isListed,
        isSeen,
        hosts: isParked ? [random.pick(parking)] : hosts,
      };
    });
  }).flat();
}

const setups = [
  [25, 'one server for all domains'],
  [50, 'one server, below a listed domain'],
  [65, 'three servers in turn'],
  [80, 'Cloudflare routing'],
  [90, 'a mail provider'],
  [100, 'a server per domain'],
] as const;

function setupOf(draw: number): string {
  return setups.find(([below]) => draw < below)?.[1] ?? '';
}

function hostsOf(kind: string, service: number, name: string, provider: string): readonly string[] {
  if (kind.startsWith('one server')) return [`mx.service${service}.net`];
  if (kind === 'three servers in turn') return [`mx${random.integer(3)}.service${service}.net`];
  if (kind === 'Cloudflare routing') return cloudflare;
  return kind === 'a mail provider' ? [provider] : [`mail.${name}`];
}

/** 20,000 ordinary domains, some looked up before; and on five cheap hosts as many listed domains as ordinary ones. */
function ordinary(): Member[] {
  const plain = Array.from({ length: 20_000 }, (): Member => {
    const name = newName();
    const draw = random.integer(100);
    const [kind, hosts] = ordinaryMail(draw, name);
    return { name, kind, isDisposable: false, isListed: false, isSeen: chance(seenShare), hosts };
  });
  const cheap = cheapHosts.flatMap((host) =>
    Array.from({ length: 60 }, (_, index): Member => {
      const isDisposable = index % 2 === 0;
      const shared = { name: newName(), kind: 'a cheap host', hosts: [host] };
      return { ...shared, isDisposable, isListed: isDisposable, isSeen: !isDisposable && chance(seenShare) };
    }),
  );
  return [...plain, ...cheap];
}

function ordinaryMail(draw: number, name: string): [kind: string, hosts: readonly string[]] {
  if (draw < 35) return ['Google or Microsoft', [random.pick(offices)]];
  if (draw < 45) return ['Cloudflare routing', cloudflare];
  if (draw < 75) return ['a small host', [random.pick(smallHosts)]];
  return draw < 90 ? ['parked', [random.pick(parking)]] : ['its own server', [`mail.${name}`]];
}

const world = [...services(), ...ordinary()];
const byName = new Map(world.map((member) => [member.name, member]));
const server = await startDnsServer(
  Object.fromEntries(
    world
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
    standingOf: (name) => (byName.get(name)?.isListed ? 'listed' : 'other'),
    isExempt: (host) => longestSuffix(host, known) !== null || longestSuffix(host, table) !== null,
    isListed: (host) => listedHosts.has(host),
    now: Date.now,
  });
  const ask = (domain: Parameters<typeof readMx>[0]) => readMx(domain, dns, { atMs: Date.now() + 10_000 });
  const names = world.filter(({ isListed, isSeen }) => isListed || isSeen).map(({ name }) => name);
  const { asked, unanswered } = await learnDomains({
    names,
    rate: 200,
    hosts,
    ask,
    confirm: async () => {},
    onProgress() {},
  });
  const learnt = await hosts.recount();
  console.log(`${asked} domains queried, ${unanswered} without an answer, ${learnt} mail servers learnt`);
  const found: { kind: string; isDisposable: boolean; isFlagged: boolean }[] = [];
  for (const { name, kind, isDisposable, isListed } of world) {
    const domain = parseDomain(name);
    if (isListed || domain === null) continue;
    const mx = await ask(domain);
    const isFlagged = mx.known && disposableMail(mx.value, table, hosts.sharedBy) !== null;
    found.push({ kind, isDisposable, isFlagged });
  }
  for (const isDisposable of [true, false]) {
    const rows = found.filter((row) => row.isDisposable === isDisposable);
    console.log(isDisposable ? '\nnew domains of disposable services, flagged' : '\nordinary domains, flagged');
    for (const [kind, ofKind] of [...Map.groupBy(rows, (row) => row.kind), ['**all**', rows] as const]) {
      console.log(`| ${kind} | ${ofKind.length} | ${ofKind.filter((row) => row.isFlagged).length} |`);
    }
  }
} finally {
  dns.close();
  await server.close();
  await db.close();
  rmSync(dataDir, { recursive: true, force: true });
}
