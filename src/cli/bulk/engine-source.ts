import type { Signals } from '../../library/signals.ts';
import type { BulkSource } from './add-signals.ts';
import type { BulkAnswer } from './bulk-format.ts';

const asAnswer = (answer: object | null): BulkAnswer => answer as BulkAnswer;

/** Looks values up in this process: in the lists only when offline, otherwise also on the network. */
export function engineSource(signals: Signals, isOffline: boolean, domains: boolean): BulkSource {
  const isDomain = (value: string): boolean => domains && !value.includes('@');
  const now = (value: string) => (isDomain(value) ? signals.domainNow(value) : signals.emailNow(value));
  const later = (value: string) => (isDomain(value) ? signals.domain(value) : signals.email(value));
  return {
    async ask(values) {
      if (isOffline) return { answers: values.map((value) => asAnswer(now(value))) };
      return { answers: await Promise.all(values.map(async (value) => asAnswer(await later(value)))) };
    },
  };
}
