import { addressSubject, domainSubject } from '../../signals/subject.ts';
import type { BulkSource } from './add-signals.ts';
import type { BulkAnswer } from './bulk-format.ts';
import { createServerClient } from './server-client.ts';

/** Concurrent requests. */
const requestsAtOnce = 8;

/**
 * Queries a running server, equal values of a batch once. After a failure it sends no further request and waits for those in
 * progress.
 */
export function serverSource(url: string, key: string, domains = false): BulkSource {
  const lookUp = createServerClient(url, key, requestsAtOnce);
  return {
    async ask(values) {
      const found = new Map<string, BulkAnswer>();
      const waiting = new Set<string>();
      for (const value of values) {
        const subject = domains && !value.includes('@') ? domainSubject(value) : addressSubject(value);
        if (subject === null) found.set(value, null);
        else waiting.add(value);
      }
      let failure: unknown;
      const queue = waiting.values();
      const work = async (): Promise<void> => {
        // The workers share the iterator, so that each value is taken by one of them.
        for (const value of queue) {
          if (failure !== undefined) return;
          try {
            found.set(value, await lookUp(value));
          } catch (error) {
            failure ??= error;
            return;
          }
        }
      };
      await Promise.all(Array.from({ length: requestsAtOnce }, work));
      const missing = values.findIndex((value) => !found.has(value));
      const answered = missing < 0 ? values : values.slice(0, missing);
      return { answers: answered.map((value) => found.get(value) ?? null), failure };
    },
  };
}
