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

/** The dependencies of a run. */
export interface LearnOptions {
  readonly names: readonly string[];
  /** Queries per second. */
  readonly rate: number;
  readonly hosts: Pick<MailHosts, 'observe' | 'buffer'>;
  ask(domain: Domain): Reading<readonly MxRecord[]> | Promise<Reading<readonly MxRecord[]>>;
  /** Called when everything up to here is written: a stopped run may resume after it. */
  onProgress(progress: LearnProgress): void | Promise<void>;
}

/** Queries the mail servers of names at a given rate and records them, in batches that are each written before the next. */
export async function learnDomains({ names, rate, hosts, ask, onProgress }: LearnOptions): Promise<LearnProgress> {
  let progress: LearnProgress = { asked: 0, unanswered: 0, last: '' };
  for (let at = 0; at < names.length; at += rate) {
    const batch = names.slice(at, at + rate);
    const isLast = at + rate >= names.length;
    const [answered] = await Promise.all([
      Promise.all(batch.map((name) => learn(name, ask, hosts))),
      isLast ? null : sleep(1_000),
    ]);
    await hosts.buffer.flush();
    progress = {
      asked: progress.asked + batch.length,
      unanswered: progress.unanswered + answered.filter((isAnswered) => !isAnswered).length,
      last: batch.at(-1) ?? '',
    };
    await onProgress(progress);
  }
  return progress;
}

async function learn(name: string, ask: LearnOptions['ask'], hosts: LearnOptions['hosts']): Promise<boolean> {
  const domain = parseDomain(name);
  const mx = domain === null ? null : await ask(domain);
  if (!mx?.known) return false;
  hosts.observe(name, mx.value);
  return true;
}
