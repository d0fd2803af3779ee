import { addressSubject } from '../../signals/subject.ts';
import type { BulkSource } from './add-signals.ts';
import type { BulkAnswer } from './bulk-format.ts';
import { createServerClient } from './server-client.ts';

/** Concurrent requests. */
const requestsAtOnce = 8;

/**
 * Queries a running server, equal addresses of a batch once. After a failure it sends no further request and waits for those in
 * progress.
 */
export function serverSource(url: string, key: string): BulkSource {
  const lookUp = createServerClient(url, key, requestsAtOnce);
  return {
    // Small, because a killed run pays again for answers that it had not recorded.
    pieceBytes: 8_192,
    async ask(addresses) {
      const found = new Map<string, BulkAnswer>();
      const waiting = new Set<string>();
      for (const address of addresses) {
        if (addressSubject(address) === null) found.set(address, null);
        else waiting.add(address);
      }
      let failure: unknown;
      const queue = waiting.values();
      const work = async (): Promise<void> => {
        // The workers share the iterator, so that each address is taken by one of them.
        for (const address of queue) {
          if (failure !== undefined) return;
          try {
            found.set(address, await lookUp(address));
          } catch (error) {
            failure ??= error;
            return;
          }
        }
      };
      await Promise.all(Array.from({ length: requestsAtOnce }, work));
      const missing = addresses.findIndex((address) => !found.has(address));
      const answered = missing < 0 ? addresses : addresses.slice(0, missing);
      return { answers: answered.map((address) => found.get(address) ?? null), failure };
    },
  };
}
