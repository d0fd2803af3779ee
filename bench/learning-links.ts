// node bench/learning-links.ts [SEED] [WIDTH]: what links new domains to disposable services in made-up worlds from SEED (1) on, twenty, or a
// fifth as many that are five times as large (WIDTH 5): the unlisted domains of services that each link finds, and the ordinary domains that it flags. The service
// recounts every ten minutes, so a link is followed while an instance looks up more and more domains, and every moment counts.
import mxProviderTable from '../data/mx-providers.json' with { type: 'json' };
import { parseDomain } from '../src/address/domain.ts';
import { lowerBound } from '../src/learning/count-hosts.ts';
import { longestSuffix } from '../src/mail/host-suffix.ts';
import { compileMxProviders } from '../src/mail/mx-providers.ts';
import { type Member, makeWorld, type World } from './learning-zones.ts';

const [seed = 1, width = 1] = process.argv.slice(2).map(Number);
const worlds = Array.from({ length: 20 / width }, (_, index) => makeWorld(seed + index, width));
const steps = Array.from({ length: 101 }, (_, index) => index / 200 / width);
/** New, a week, a month, half a year. */
const ages = [0, 10, 40, 100];
const providers = compileMxProviders(mxProviderTable.entries).bySuffix;

const ownHosts = ({ hosts, name }: Member): string[] =>
  hosts.filter((host) => longestSuffix(host, providers) === null && !host.endsWith(`.${name}`));
const links = {
  'mail server': ownHosts,
  "mail server's domain": (member) => [
    ...new Set(ownHosts(member).map((host) => parseDomain(host)?.registrable ?? host)),
  ],
  address: ({ addresses }) => addresses,
  "mail server's address": ({ mailAddresses }) => mailAddresses,
} satisfies Record<string, (member: Member) => readonly string[]>;
type Link = keyof typeof links;

/** The domains that share something, at one moment: `other` ones are unlisted, `unrelated` ones of these were not registered with listed ones. */
interface Moment {
  readonly listed: number;
  readonly listedSeen: number;
  readonly other: number;
  readonly unrelated: number;
  /** Unlisted domains that were seen elsewhere. */
  readonly ordinary: number;
}
interface Shared {
  readonly world: number;
  readonly isBelowListed: boolean;
  readonly unlisted: number;
  readonly ordinary: number;
  readonly moments: readonly Moment[];
}

function sharedBy(link: Link, days: number): Shared[] {
  return worlds.flatMap((world, index) => {
    const groups = groupsOf(world.members, links[link]);
    const plain = [...groups.values()].filter((members) => !isCandidate(members)).flat();
    const ordinary = steps.map((seen) => plain.filter((member) => !member.isListed && member.seenFrom < seen).length);
    const below = belowListed(world, link);
    return [...groups]
      .filter(([, members]) => isCandidate(members))
      .map(
        ([key, members]): Shared => ({
          world: index,
          isBelowListed: below.has(key),
          unlisted: members.filter(({ isListed, isDisposable }) => !isListed && isDisposable).length,
          ordinary: members.filter(({ isDisposable }) => !isDisposable).length,
          moments: steps.map((seen, step) => momentOf(members, seen, days, ordinary[step] ?? 0)),
        }),
      );
  });
}

function groupsOf(members: readonly Member[], keysOf: (member: Member) => readonly string[]): Map<string, Member[]> {
  const pairs = members.flatMap((member) => keysOf(member).map((key) => ({ key, member })));
  return new Map(
    Map.groupBy(pairs, ({ key }) => key)
      .entries()
      .map(([key, group]) => [key, group.map(({ member }) => member)]),
  );
}

function isCandidate(members: readonly Member[]): boolean {
  return members.filter(({ isListed }) => isListed).length >= 10;
}

function belowListed({ listedServices }: World, link: Link): ReadonlySet<string> {
  if (link === 'mail server') return new Set([...listedServices].map((domain) => `mx.${domain}`));
  return link === "mail server's domain" ? listedServices : new Set();
}

function momentOf(members: readonly Member[], seen: number, days: number, ordinary: number): Moment {
  const lookedUp = members.filter(({ seenFrom }) => seenFrom < seen);
  const other = lookedUp.filter(({ isListed }) => !isListed);
  const listed = lookedUp.filter(({ isListed }) => isListed);
  const dates = listed.filter(({ hasDate }) => hasDate).map(({ registeredDay }) => registeredDay);
  const isRelated = ({ hasDate, registeredDay }: Member): boolean =>
    hasDate && dates.some((date) => Math.abs(date - registeredDay) <= days);
  return {
    listed: members.filter(({ isListed }) => isListed).length,
    listedSeen: listed.length,
    other: other.length,
    unrelated: other.filter((member) => !isRelated(member)).length,
    ordinary,
  };
}

type Rule = (moment: Moment) => boolean;
const keptShare: Rule = ({ listed, other }) => listed / (listed + other) >= 0.5;
const everyDomain =
  (share: number, ordinary: number): Rule =>
  (at) =>
    at.ordinary >= ordinary && at.listed / (at.listed + at.other) >= share;
const everyDomainBound =
  (bound: number, ordinary: number): Rule =>
  (at) =>
    at.ordinary >= ordinary && lowerBound(at.listed, at.listed + at.other) >= bound;
const lookedUp =
  (bound: number): Rule =>
  (at) =>
    lowerBound(at.listedSeen, at.listedSeen + at.other) >= bound;
const dated =
  (bound: number): Rule =>
  (at) =>
    lowerBound(at.listedSeen, at.listedSeen + at.unrelated) >= bound;

function report(link: Link, name: string, shared: readonly Shared[], rule: Rule): void {
  const found = ages.map(() => 0);
  const flagged = new Map<number, number>();
  for (const { world, isBelowListed, unlisted, ordinary, moments } of shared) {
    let isLearnt = false;
    let wasLearnt = false;
    moments.forEach((moment, step) => {
      isLearnt = isLearnt || isBelowListed ? keptShare(moment) : rule(moment);
      wasLearnt ||= isLearnt;
      const age = ages.indexOf(step);
      if (isLearnt && age >= 0) found[age] = (found[age] ?? 0) + unlisted;
    });
    if (wasLearnt && ordinary > 0) flagged.set(world, (flagged.get(world) ?? 0) + ordinary);
  }
  const recall = found.map((count) => `${((100 * count) / unlistedDomains).toFixed(1)} %`).join(' | ');
  const wrong = [...flagged.values()].reduce((sum, count) => sum + count, 0);
  console.log(`| ${link} | ${name} | ${recall} | ${wrong} | ${flagged.size} |`);
}

const unlistedDomains = worlds
  .flatMap(({ members }) => members)
  .filter((each) => each.isDisposable && !each.isListed).length;
const ordinaryDomains = worlds.flatMap(({ members }) => members).filter((each) => !each.isDisposable).length;
console.log(`${unlistedDomains} unlisted domains of services, ${ordinaryDomains} ordinary domains\n`);
console.log('| link | learnt when | new | week | month | half a year | ordinary, ever flagged | worlds |');
console.log('|---|---|---:|---:|---:|---:|---:|---:|');
const servers = sharedBy('mail server', 3);
for (const ordinary of [100, 300, 500, 700, 1_000, 2_000])
  for (const share of [0.8, 0.85, 0.9, 0.95])
    report('mail server', `${share} of all, ${ordinary} ordinary`, servers, everyDomain(share, ordinary));
for (const ordinary of [500, 1_000, 2_000])
  for (const bound of [0.75, 0.8, 0.85, 0.9])
    report('mail server', `bound ${bound} of all, ${ordinary} ordinary`, servers, everyDomainBound(bound, ordinary));
for (const bound of [0.55, 0.6, 0.65, 0.7]) {
  report('mail server', `bound ${bound} of looked up`, servers, lookedUp(bound));
  report('mail server', `bound ${bound} of looked up, dates`, servers, dated(bound));
}
for (const link of ["mail server's domain", 'address', "mail server's address"] as const) {
  const shared = sharedBy(link, 3);
  report(link, '0.95 of all, 1000 ordinary', shared, everyDomain(0.95, 1_000));
  for (const bound of [0.6, 0.65, 0.7]) {
    report(link, `bound ${bound} of looked up`, shared, lookedUp(bound));
    report(link, `bound ${bound} of looked up, dates`, shared, dated(bound));
  }
}
for (const least of [2, 5, 8]) reportDates(least);

/** Behind a mail provider, the date alone: registered within three days of so many listed domains of the same provider. */
function reportDates(least: number): void {
  const providerOf = ({ hosts }: Member) => hosts.slice(0, 1).filter((host) => longestSuffix(host, providers) !== null);
  const found = ages.map(() => 0);
  const wrong = ages.map(() => 0);
  for (const world of worlds)
    for (const members of groupsOf(world.members, providerOf).values())
      ages.forEach((step, age) => {
        const isDated = ({ seenFrom, hasDate }: Member) => hasDate && seenFrom < (steps[step] ?? 0);
        const days = members.filter((each) => each.isListed && isDated(each)).map((each) => each.registeredDay);
        for (const { isListed, isDisposable, hasDate, registeredDay } of members) {
          if (isListed || !hasDate || days.filter((day) => Math.abs(day - registeredDay) <= 3).length < least) continue;
          const counts = isDisposable ? found : wrong;
          counts[age] = (counts[age] ?? 0) + 1;
        }
      });
  const recall = found.map((count) => `${((100 * count) / unlistedDomains).toFixed(1)} %`).join(' | ');
  console.log(`| date, behind one provider | ${least} listed | ${recall} | ${Math.max(...wrong)} | |`);
}
