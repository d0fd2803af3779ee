import neverFlag from '../data/never-flag.json' with { type: 'json' };
import relays from '../data/relays.json' with { type: 'json' };
import { parseAddress } from '../src/address/address.ts';
import type { Lists } from '../src/lists/lists.ts';
import { readPackage } from '../src/lists/sources/read-packages.ts';
import { packageSources } from '../src/lists/sources/source-catalogue.ts';
import { loadPeer, peerName } from './peer.ts';
import type { Row } from './row.ts';
import { seededRandom } from './seeded-random.ts';
import { shareRow } from './share-row.ts';
import { type Candidate, freshText, timePerCall } from './time-per-call.ts';

interface Inbox {
  readonly address: string;
  readonly domain: string;
}

interface Checker {
  readonly name: string;
  readonly isDisposable: (inbox: Inbox) => boolean | Promise<boolean>;
  /** The same results, faster: for counting them. */
  readonly answers?: (inbox: Inbox) => boolean;
  readonly isAsync?: boolean;
  readonly most?: number;
  readonly goals?: { readonly time?: string; readonly recall: string; readonly wrong: string };
}

const ownGoals = { recall: '≥ 99 %', wrong: '0 %' };
const timed = 10_000;

/** Time, recall and false positives of the disposable check, ours and the peers'. */
export async function disposableRows(lists: Lists): Promise<Row[]> {
  const random = seededRandom(1);
  const strong = [...new Set(packageSources.filter(({ kind }) => kind === 'strong').flatMap(namesOf))];
  const subdomains = strong.map((name) => `${random.label(3 + random.integer(8))}.${name}`);
  const other: string[] = loadPeer('disposable-email-domains');
  const mainstream = neverFlag.entries;
  const names = [...random.sample(strong, 3_000), ...random.sample(subdomains, 3_000)];
  while (names.length < timed) names.push(random.integer(2) === 0 ? random.pick(mainstream) : `${random.label(9)}.com`);
  const mixed = random.sample(names, names.length);

  const checkers = checkersOf(lists);
  const candidates = checkers.map(
    ({ name, isDisposable, goals, answers: _, ...rest }): Candidate<Inbox> => ({
      name,
      call: isDisposable,
      ...rest,
      ...(goals?.time === undefined ? {} : { goal: goals.time }),
    }),
  );
  const rows = await timePerCall('disposable', candidates, () => mixed.map((name) => inbox(freshText(name))));
  const sets = [
    { what: 'strong lists found', names: strong, goal: 'recall' },
    { what: 'random subdomains of them found', names: subdomains, goal: 'recall' },
    { what: 'disposable-email-domains found, no source of ours', names: other, goal: null },
    { what: 'mainstream mailboxes flagged', names: mainstream, goal: 'wrong' },
    { what: 'relays flagged', names: relays.entries.map(({ domain }) => domain), goal: 'wrong' },
  ] as const;
  for (const { what, names: set, goal } of sets) {
    // Other ways to call the same check have the same results.
    for (const { name, isDisposable, answers = isDisposable, goals } of checkers) {
      if (name.includes(',')) continue;
      const wanted = goal === null ? undefined : goals?.[goal];
      rows.push(await shareRow(`${what}: ${name}`, set.map(inbox), answers, wanted));
    }
  }
  return rows;
}

function checkersOf(lists: Lists): Checker[] {
  const strongPeer = loadPeer<{
    isDisposableEmailDomain(domain: string): boolean;
    disposableEmailBlocklistSet(): ReadonlySet<string>;
  }>('disposable-email-domains-js');
  const mailchecker = loadPeer<{ isValid(address: string): boolean }>('mailchecker');
  const { validate } = loadPeer<{
    validate(options: object): Promise<{ validators: { disposable: { valid: boolean } } }>;
  }>('deep-email-validator');
  const plainSet = strongPeer.disposableEmailBlocklistSet();
  const onlyDisposable = { validateRegex: false, validateTypo: false, validateMx: false, validateSMTP: false };
  return [
    { name: 'a Set of one list, no subdomains', isDisposable: ({ domain }) => plainSet.has(domain) },
    {
      name: 'Signalpost',
      isDisposable: ({ domain }) => lists.isListed('disposable', domain),
      goals: { ...ownGoals, time: '≤ 0.4 µs' },
    },
    {
      name: 'Signalpost, address parsed too',
      isDisposable: ({ address }) => lists.isListed('disposable', parseAddress(address)?.domain.ascii ?? ''),
    },
    { name: peerName('mailchecker'), isDisposable: ({ address }) => !mailchecker.isValid(address) },
    {
      name: peerName('deep-email-validator'),
      isDisposable: async ({ address }) =>
        !(await validate({ email: address, ...onlyDisposable })).validators.disposable.valid,
      isAsync: true,
    },
    {
      name: peerName('disposable-email-domains-js'),
      // It builds a Set of its whole list in every call.
      isDisposable: ({ domain }) => strongPeer.isDisposableEmailDomain(domain),
      answers: ({ domain }) => plainSet.has(domain),
      most: 20,
    },
  ];
}

function inbox(domain: string): Inbox {
  return { address: `jane.doe@${domain}`, domain };
}

function namesOf(source: (typeof packageSources)[number]): readonly string[] {
  return readPackage(source).names;
}
