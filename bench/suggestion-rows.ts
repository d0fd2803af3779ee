import tlds from 'tlds' with { type: 'json' };
import { parse } from 'tldts';
import neverFlag from '../data/never-flag.json' with { type: 'json' };
import rankSeed from '../data/rank-seed.json' with { type: 'json' };
import type { Lists } from '../src/lists/lists.ts';
import { loadPeer, peerName } from './peer.ts';
import type { Row } from './row.ts';
import { seededRandom } from './seeded-random.ts';
import { shareRow } from './share-row.ts';
import { freshText, timePerCall } from './time-per-call.ts';
import { generatedTypos, handWrittenTypos } from './typos.ts';

interface Suggester {
  readonly name: string;
  readonly suggest: (domain: string) => string | null;
  readonly goals?: { readonly time: string; readonly fixed: string; readonly wrong: string };
}

/** Typing errors per target. */
const slipsEach = 60;
const timed = 2_000;

/** Time, corrected typing errors and wrongly "corrected" real domains, ours and the peers'. */
export async function suggestionRows(lists: Lists): Promise<Row[]> {
  const random = seededRandom(2);
  const ranked = rankSeed.entries.map(([name]) => String(name));
  const mainstream = neverFlag.entries;
  const real = new Set([...ranked, ...mainstream]);
  const isSuffix = (name: string): boolean => parse(`placeholder.${name}`).isIcann === true || tlds.includes(name);
  const generated = generatedTypos(random, slipsEach, isSuffix, (name) => real.has(name));
  const typed = [...generated, ...handWrittenTypos].map((typo) => typo.typed);
  const mixed = Array.from({ length: timed }, (_, index) => {
    if (index % 3 === 0) return random.pick(typed);
    return index % 3 === 1 ? random.pick(mainstream) : `${random.label(5 + random.integer(10))}.com`;
  });

  const suggesters = suggestersOf(lists);
  const candidates = suggesters.map(({ name, suggest, goals }) => ({
    name,
    call: suggest,
    ...(goals === undefined ? {} : { goal: goals.time }),
  }));
  const rows = await timePerCall('did_you_mean', candidates, () => mixed.map(freshText));
  for (const { name, suggest, goals } of suggesters) {
    for (const [what, typos] of [
      ['made by rule', generated],
      ['by hand', handWrittenTypos],
    ] as const) {
      const isFixed = (typo: (typeof typos)[number]): boolean => suggest(typo.typed) === typo.meant;
      rows.push(await shareRow(`typos fixed, ${what}: ${name}`, typos, isFixed, goals?.fixed));
    }
    for (const [what, names] of [
      ['well-known sites', ranked],
      ['mainstream mailboxes', mainstream],
    ] as const) {
      rows.push(await shareRow(`${what} "corrected": ${name}`, names, (each) => suggest(each) !== null, goals?.wrong));
    }
  }
  return rows;
}

/** The domain that a peer suggests for an address, with its default tables. */
type RunPeer = { run(options: { email: string }): { domain: string } | false | undefined };

function suggestersOf(lists: Lists): Suggester[] {
  const mailcheck = loadPeer<RunPeer>('mailcheck');
  const zootools = loadPeer<RunPeer>('@zootools/email-spell-checker');
  const ask = (peer: RunPeer) => (domain: string) => {
    const result = peer.run({ email: `jane.doe@${domain}` });
    return result ? result.domain : null;
  };
  return [
    { name: peerName('mailcheck'), suggest: ask(mailcheck) },
    { name: peerName('@zootools/email-spell-checker'), suggest: ask(zootools) },
    {
      name: 'Signalpost',
      suggest: (domain) => lists.suggest(domain),
      goals: { time: '≤ 1.5 µs', fixed: '≥ 98 %', wrong: '≤ 2 %' },
    },
  ];
}
