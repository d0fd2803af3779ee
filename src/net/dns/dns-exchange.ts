import { type Ending, openConversation } from './dns-conversation.ts';
import type { AskedQuestion, FailureReason } from './dns-question.ts';
import type { DnsServers, ServerAddress } from './dns-servers.ts';
import type { Channel } from './dns-transport.ts';
import type { DnsTrust, SentMark } from './dns-trust.ts';

/** How long each attempt waits before the next server is queried, or the same one again. The last value repeats. */
const TRY_MS = [400, 600, 1_000, 1_500] as const;

/** Reports each question that an exchange sends, and validates the response. */
export type ExchangeEvents = Pick<DnsTrust, 'sent' | 'judge'>;

/**
 * Puts one question to the servers in turn until one answers, every one has refused, or `signal` ends it. A server that is
 * slow may still answer while the next one is queried. One that said it will not answer, or is not believed, is not queried again.
 */
export function exchange(
  question: AskedQuestion,
  servers: DnsServers,
  signal: AbortSignal,
  { sent, judge }: ExchangeEvents,
): Promise<Ending> {
  const conversations = new Map<ServerAddress, Channel>();
  let open = servers.order();
  let tries = 0;
  const marks = new Map<ServerAddress, SentMark>();
  const judged = new Set<ServerAddress>();
  let isOver = false;
  let failure: FailureReason | null = null;
  let timer: NodeJS.Timeout | undefined;
  const { promise, resolve } = Promise.withResolvers<Ending>();

  function finish(ending: Ending): void {
    isOver = true;
    signal.removeEventListener('abort', expire);
    clearTimeout(timer);
    for (const conversation of conversations.values()) conversation.close();
    resolve(ending);
  }

  function expire(): void {
    finish({ kind: 'failed', reason: failure ?? 'timeout' });
  }

  function onEnded(server: ServerAddress, ending: Ending): void {
    if (ending.kind === 'failed' && ending.reason === 'refused') servers.markFailed(server);
    else servers.markHealthy(server);
    if (ending.kind === 'failed') {
      conclude(server, ending);
      return;
    }
    const end = (isTrusted: boolean) => conclude(server, isTrusted ? ending : untrusted);
    const belief = judge(server, question, ending.response, marks.get(server) ?? neverSent);
    judged.add(server);
    if (typeof belief === 'boolean') end(belief);
    else void belief.then(end);
  }

  function conclude(server: ServerAddress, ending: Ending): void {
    if (isOver) return;
    if (ending.kind === 'response') {
      finish(ending);
      return;
    }
    open = open.filter((other) => other !== server);
    // Prefer the reason `untrusted`: it changes when the server proves itself.
    if (failure !== 'untrusted') failure = ending.reason;
    clearTimeout(timer);
    if (open.length === 0) expire();
    else ask();
  }

  function converse(server: ServerAddress): Channel {
    return openConversation(server, question, {
      ended: (ending) => onEnded(server, ending),
      garbage() {
        failure ??= 'broken';
      },
    });
  }

  function ask(): void {
    const server = open[tries % open.length];
    if (server === undefined) return;
    const tryMs = TRY_MS[Math.min(tries, TRY_MS.length - 1)];
    tries++;
    marks.set(server, sent(server));
    const conversation = conversations.get(server);
    if (conversation === undefined) conversations.set(server, converse(server));
    else conversation.resend();
    timer = setTimeout(() => {
      if (!judged.has(server)) servers.markFailed(server);
      ask();
    }, tryMs).unref();
  }

  signal.addEventListener('abort', expire, { once: true });
  ask();
  return promise;
}

const neverSent: SentMark = { atMs: 0, begun: 0 };
const untrusted: Ending = { kind: 'failed', reason: 'untrusted' };
