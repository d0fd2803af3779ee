// node bench/truth/compare.ts: other libraries' scores and ours on the frozen sets, as the table of docs/accuracy.md.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LabelledRow, parseLabelled, score } from '../../src/cli/accuracy/accuracy.ts';
import { readPackage, readRolePackage } from '../../src/lists/sources/read-packages.ts';
import { packageSources } from '../../src/lists/sources/source-catalogue.ts';
import { withBenchLists } from '../bench-lists.ts';
import { installPeers, loadPeer, peerName } from '../peer.ts';
import { type Answer, disposablePeers } from './disposable-peers.ts';
import { answerAbout, ownAnswers, scoredFields } from './own-answers.ts';

type RunPeer = { run(options: { email: string }): { domain: string } | false | undefined };

installPeers();
await withBenchLists(async (lists) => {
  const ours = ownAnswers(lists);
  const rivals: Readonly<Record<string, Readonly<Record<string, Answer>>>> = {
    disposable: disposablePeers(),
    did_you_mean: suggestionPeers(),
    public_domain: publicPeers(),
    role_account: { [`role-based-email-addresses ${readRolePackage().version}`]: rolePeer() },
  };
  const folder = import.meta.dirname;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.csv'))) {
    const rows = parseLabelled(readFileSync(join(folder, file), 'utf8'), new Set(scoredFields));
    for (const field of scoredFields) {
      const about = rows.filter((row) => row.field === field);
      if (about.length === 0) continue;
      const candidates = { Signalpost: ours[field], ...rivals[field] };
      for (const [name, answer] of Object.entries(candidates)) {
        console.log(line(file, field, name, about, answer));
      }
    }
  }
});

function line(file: string, field: string, name: string, rows: readonly LabelledRow[], answer: Answer): string {
  const [counts] = score(rows, ({ value }) => ({ [field]: answerAbout(answer, value) })).scores;
  const found = counts?.positives ? `${counts.found} of ${counts.positives}` : '–';
  const wrong = counts?.negatives ? `${counts.falsePositives} of ${counts.negatives}` : '–';
  return `| ${file} | ${field} | ${name} | ${found} | ${wrong} |`;
}

function suggestionPeers(): Record<string, Answer> {
  return Object.fromEntries(
    ['mailcheck', '@zootools/email-spell-checker'].map((name) => {
      const peer = loadPeer<RunPeer>(name);
      const answer: Answer = (domain) => {
        const result = peer.run({ email: `jane.doe@${domain}` });
        return result ? result.domain : null;
      };
      return [peerName(name), answer];
    }),
  );
}

function publicPeers(): Record<string, Answer> {
  return Object.fromEntries(
    packageSources
      .filter(({ kind }) => kind === 'public')
      .map((source) => {
        const { names, version } = readPackage(source);
        const known = new Set(names);
        return [`${source.name} ${version}`, (domain: string) => known.has(domain)];
      }),
  );
}

function rolePeer(): Answer {
  const names = new Set(readRolePackage().roles);
  return (_, address) => names.has(address.slice(0, address.lastIndexOf('@')).toLowerCase());
}
