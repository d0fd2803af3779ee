import type { Signals } from '../../library/signals.ts';
import type { BulkSource } from './add-signals.ts';
import type { BulkAnswer } from './bulk-format.ts';

const asAnswer = (answer: object | null): BulkAnswer => answer as BulkAnswer;

/** Asks the engine in this process: the lists alone when it is offline, the network too when it is not. */
export function engineSource(signals: Signals, isOffline: boolean): BulkSource {
  return {
    pieceBytes: 1_048_576,
    async ask(addresses) {
      if (isOffline) return { answers: addresses.map((address) => asAnswer(signals.emailNow(address))) };
      return { answers: await Promise.all(addresses.map(async (address) => asAnswer(await signals.email(address)))) };
    },
  };
}
