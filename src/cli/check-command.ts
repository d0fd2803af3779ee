import { type Engine, openEngine, operator } from '../app/engine.ts';
import type { Config } from '../config.ts';
import type { Lookup } from '../lookups/lookup.ts';
import { domainText, emailText } from '../lookups/lookup-body.ts';
import { chunksOf } from '../platform/chunks-of.ts';
import { addressSubject, domainSubject, type Subject } from '../signals/subject.ts';
import { checkIp } from './check-ip.ts';
import { type CheckedValue, checkText } from './check-text.ts';
import { type Command, UsageError } from './command.ts';
import { commandLog } from './command-log.ts';
import type { CommandIo } from './io.ts';
import { announceListBuild } from './list-build.ts';

/** How many values are looked up concurrently; the DNS client has its own bound. */
const concurrency = 32;
/** The slow facts: a command waits for them. */
const wait: ReadonlySet<string> = new Set(['domain_age_in_days', 'domain_authority']);

/** `signalpost check VALUE…`. */
export const checkCommand: Command = {
  name: 'check',
  usage: '[VALUE…] [--ip ADDRESS] [--explain] [--offline]',
  summary: 'Show the signals of addresses and domains, and of an IP address, without a server',
  options: {
    ip: { type: 'string', value: 'ADDRESS', help: 'an IP address to check' },
    explain: { type: 'boolean', help: 'add the reason for each signal' },
    offline: { type: 'boolean', help: 'use the lists only, without the network' },
  },
  example: 'check jane@example.com mailinator.com --explain',
  positionals: [0, Number.MAX_SAFE_INTEGER],
  async run({ config, flags, options: { ip }, positionals, io }) {
    if (positionals.length === 0 && ip === undefined)
      throw new UsageError('nothing to check: give an address, a domain or --ip');
    const settings: Config = { ...config, offline: config.offline || flags.has('offline'), listsRefresh: 'off' };
    const explain = flags.has('explain');
    const checked = await withEngine(settings, io, async ({ lookup, knowledge }) => [
      ...(await checkAll(lookup, positionals, { explain, wait })),
      ...(ip === undefined ? [] : [await checkIp(knowledge.ip, ip, explain)]),
    ]);
    const invalid = checked.filter((each) => 'error' in each);
    const json = checked.map((each) => ('error' in each ? each : each.body));
    const failure =
      invalid.length === 0 ? {} : { failure: `${invalid.map(({ value }) => `"${value}"`).join(', ')}: not valid` };
    return { json, text: (paint) => checkText(checked, paint), ...failure };
  },
};

/** The server's sources: the same lists, facts and network. */
export async function withEngine<T>(config: Config, io: CommandIo, work: (engine: Engine) => Promise<T>): Promise<T> {
  announceListBuild(config.dataDir, io);
  const engine = await openEngine(config, commandLog());
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/** The options that apply to each value. */
interface CheckOptions {
  readonly explain: boolean;
  readonly wait: ReadonlySet<string>;
}

/** The results of values, in their order. */
export async function checkAll(
  lookup: Lookup,
  values: readonly string[],
  asked: CheckOptions,
): Promise<CheckedValue[]> {
  const checked: CheckedValue[] = [];
  for (const some of chunksOf(values, concurrency)) {
    checked.push(...(await Promise.all(some.map((value) => check(lookup, value, asked)))));
  }
  return checked;
}

async function check(lookup: Lookup, value: string, asked: CheckOptions): Promise<CheckedValue> {
  const subject = subjectOf(value);
  if (subject === null) return { value, error: value.includes('@') ? 'invalid_email' : 'invalid_domain' };
  const options = { pro: true, includeMx: true, ...asked };
  const result = await lookup(subject, operator, options);
  const { text } = subject.address === null ? domainText(result, options) : emailText(result, options);
  const { blocklisted: _, ...signals } = JSON.parse(text) as Record<string, unknown>;
  return { value, body: signals };
}

function subjectOf(value: string): Subject | null {
  return value.includes('@') ? addressSubject(value) : domainSubject(value, { trailingDot: true });
}
