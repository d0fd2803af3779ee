import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openEngine } from '../../app/engine.ts';
import type { Config } from '../../config.ts';
import { writeFileAtomic } from '../../files/atomic-file.ts';
import type { Knowledge } from '../../knowledge/feature.ts';
import { type LearnProgress, learnDomains } from '../../learning/learn-domains.ts';
import { readMx } from '../../mail/mx.ts';
import { isUntrusted } from '../../net/dns/dns.ts';
import { type Command, type Output, UsageError } from '../command.ts';
import { commandLog } from '../command-log.ts';
import type { CommandIo } from '../io.ts';

const questionMs = 10_000;
/** Domains between two lines of progress in a log. */
const reportEvery = 1_000;

/** `signalpost lists learn`. */
export const listLearnCommand: Command = {
  name: 'lists learn',
  usage: '[--rate N] [--limit N]',
  summary: 'Learn the mail servers of disposable services from the DNS of listed domains; resumes where it was stopped',
  options: {
    rate: { type: 'string', value: 'N', help: 'DNS queries per second; default 20' },
    limit: { type: 'string', value: 'N', help: 'stop after this many domains' },
  },
  example: 'lists learn --rate 50',
  positionals: [0, 0],
  run({ config, options, io }) {
    if (config.offline) throw new Error('OFFLINE=true: no query was sent and nothing was changed');
    if (!config.learnMailServers) throw new Error('LEARN_MAIL_SERVERS=off: no query was sent and nothing was changed');
    const rate = count('rate', options.rate ?? '20', 1_000);
    const limit = count('limit', options.limit ?? '1000000000', 1_000_000_000);
    return withKnowledge({ ...config, listsRefresh: 'off' }, (knowledge) =>
      learn(config, knowledge, { rate, limit }, io),
    );
  },
};

async function learn(
  config: Config,
  knowledge: Knowledge,
  { rate, limit }: { readonly rate: number; readonly limit: number },
  io: CommandIo,
): Promise<Output> {
  const { lists, network, mailHosts: hosts } = knowledge;
  if (hosts === null) throw new Error('mail servers are not learnt');
  const place = join(config.dataDir, 'lists', 'learn.json');
  const all = lists.names();
  const after = readPlace(place);
  const left = all.filter((name) => name > after);
  const before = all.length - left.length;
  const report = progressOn(io.stderr, all.length);
  const done = await learnDomains({
    names: left.slice(0, limit),
    rate,
    hosts,
    ask: (domain) => readMx(domain, network.dns, { atMs: Date.now() + questionMs }),
    async confirm() {
      if (isUntrusted(network.dns) || !(await network.dns.prove()))
        throw new Error('the DNS servers cannot be trusted; fix DNS_SERVERS and run the command again');
    },
    onProgress(progress) {
      writeFileAtomic(place, `${JSON.stringify({ after: progress.last })}\n`);
      report(before + progress.asked, progress);
    },
  });
  const isDone = done.asked === left.length;
  if (isDone) rmSync(place, { force: true });
  const learnt = await hosts.recount();
  const upTo = before + done.asked;
  return {
    json: {
      total: all.length,
      asked: done.asked,
      unanswered: done.unanswered,
      up_to: upTo,
      done: isDone,
      servers: learnt,
    },
    text: `Queried ${done.asked} domains (${upTo} of ${all.length}), ${done.unanswered} without an answer: ${learnt} mail servers learnt${isDone ? '' : '; run it again to continue'}`,
  };
}

/** The last queried name; empty at the beginning. */
function readPlace(path: string): string {
  if (!existsSync(path)) return '';
  const found: { after?: unknown } = JSON.parse(readFileSync(path, 'utf8'));
  return typeof found.after === 'string' ? found.after : '';
}

function progressOn(stream: CommandIo['stderr'], total: number) {
  let reported = 0;
  return (upTo: number, { unanswered }: LearnProgress): void => {
    const line = `${upTo} of ${total} domains, ${unanswered} without an answer`;
    if (stream.isTTY) stream.write(`\r\u001b[2K${line}${upTo === total ? '\n' : ''}`);
    else if (upTo - reported >= reportEvery || upTo === total) stream.write(`${line}\n`);
    else return;
    reported = upTo;
  };
}

function count(name: string, text: string, max: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) throw new UsageError(`--${name} is a whole number from 1 to ${max}, not "${text}"`);
  return value;
}

async function withKnowledge(config: Config, work: (knowledge: Knowledge) => Promise<Output>): Promise<Output> {
  const engine = await openEngine(config, commandLog());
  try {
    return await work(engine.knowledge);
  } finally {
    await engine.close();
  }
}
