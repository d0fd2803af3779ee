import { openConversation, type Verdict } from './dns-conversation.ts';
import type { FailureReason, Question } from './dns-question.ts';
import type { DnsServers, ServerAddress } from './dns-servers.ts';
import type { Channel } from './dns-transport.ts';

/** How long each try is waited for before the next server is asked, or the same one again. The last one repeats. */
const TRY_MS = [400, 600, 1_000, 1_500] as const;

/**
 * Puts one question to the servers in turn until one answers, every one has refused, or `signal` ends it. A server that is
 * slow may still answer while the next one is asked. One that said it will not answer is not asked again.
 */
export function exchange(
  question: Question,
  servers: DnsServers,
  signal: AbortSignal,
  sent: () => void,
): Promise<Verdict> {
  const conversations = new Map<ServerAddress, Channel>();
  let open = servers.order();
  let tries = 0;
  let failure: FailureReason | null = null;
  let timer: NodeJS.Timeout | undefined;
  const { promise, resolve } = Promise.withResolvers<Verdict>();

  function settle(verdict: Verdict): void {
    signal.removeEventListener('abort', expire);
    clearTimeout(timer);
    for (const conversation of conversations.values()) conversation.close();
    resolve(verdict);
  }

  function expire(): void {
    settle({ kind: 'failed', reason: failure ?? 'timeout' });
  }

  function hear(server: ServerAddress, verdict: Verdict): void {
    if (verdict.kind === 'failed' && verdict.reason === 'refused') servers.unwell(server);
    else servers.well(server);
    if (verdict.kind === 'failed') open = open.filter((other) => other !== server);
    if (verdict.kind === 'response' || open.length === 0) {
      settle(verdict);
    } else {
      failure = verdict.reason;
      clearTimeout(timer);
      ask();
    }
  }

  function converse(server: ServerAddress): Channel {
    return openConversation(server, question, {
      verdict: (verdict) => hear(server, verdict),
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
    sent();
    const conversation = conversations.get(server);
    if (conversation === undefined) conversations.set(server, converse(server));
    else conversation.resend();
    timer = setTimeout(() => {
      servers.unwell(server);
      ask();
    }, tryMs).unref();
  }

  signal.addEventListener('abort', expire, { once: true });
  ask();
  return promise;
}
