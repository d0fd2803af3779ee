import { setTimeout as sleep } from 'node:timers/promises';
import { type Domain, parseDomain } from '../address/domain.ts';
import type { MxRecord } from '../mail/dns-source.ts';
import type { Reading } from '../reading.ts';
import type { MailHosts } from './mail-hosts.ts';

/** The progress of a run. */
export interface LearnProgress {
  /** Names queried so far. */
  readonly asked: number;
  /** Of those, the names without a DNS answer. */
  readonly unanswered: number;
  readonly last: string;
}

export interface LearnOptions {
  readonly names: readonly string[];
  /** Queries per second. */
  readonly rate: number;
  readonly hosts: Pick<MailHosts, 'observe' | 'buffer'>;
  ask(domain: Domain): Reading<readonly MxRecord[]> | Promise<Reading<readonly MxRecord[]>>;
  /** Called before a batch of answers is recorded; throws when the DNS servers that gave them cannot be trusted. */
  confirm(): Promise<void>;
  /** Called when everything up to here is written: a stopped run may resume after it. */
  onProgress(progress: LearnProgress): void | Promise<void>;
}

/** Queries the mail servers of names at a given rate and records them, in batches that are each written before the next. */
export async function learnDomains(options: LearnOptions): Promise<LearnProgress> {
  const { names, rate, hosts } = options;
  let progress: LearnProgress = { asked: 0, unanswered: 0, last: '' };
  for (let at = 0; at < names.length; at += rate) {
    const batch = names.slice(at, at + rate);
    const isLast = at + rate >= names.length;
    const [answers] = await Promise.all([
      Promise.all(batch.map((name) => mailServersOf(name, options.ask))),
      isLast ? null : sleep(1_000),
    ]);
    await options.confirm();
    const known = answers.filter((answer) => answer !== null);
    for (const { name, records } of known) hosts.observe(name, records);
    await hosts.buffer.flush();
    progress = {
      asked: progress.asked + batch.length,
      unanswered: progress.unanswered + batch.length - known.length,
      last: batch.at(-1) ?? '',
    };
    await options.onProgress(progress);
  }
  return progress;
}

async function mailServersOf(name: string, ask: LearnOptions['ask']) {
  const domain = parseDomain(name);
  const mx = domain === null ? null : await ask(domain);
  return mx?.known ? { name, records: mx.value } : null;
}
