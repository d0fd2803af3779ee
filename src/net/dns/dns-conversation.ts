import { randomInt } from 'node:crypto';
import { refusalOf } from './dns-interpretation.ts';
import { encodeQuestion, type Response, rcodes, readResponse } from './dns-message.ts';
import type { AskedQuestion, FailureReason } from './dns-question.ts';
import type { ServerAddress } from './dns-servers.ts';
import { type Channel, type ChannelEvents, openTcp, openUdp } from './dns-transport.ts';

/** How a conversation with one server ended: a usable response, or the reason there is none. */
export type Ending =
  | { readonly kind: 'response'; readonly response: Response }
  | { readonly kind: 'failed'; readonly reason: FailureReason };

/** What a conversation reports. `ended` comes at most once, and never while the conversation is being opened. */
export interface ConversationEvents {
  ended(ending: Ending): void;
  /** Received bytes that are not a response to the question: a forgery or a broken server. */
  garbage(): void;
}

/**
 * One question to one server: UDP with EDNS, without it for a server that does not know it (RFC 6891 section 7), TCP when
 * the answer is cut short (RFC 7766 section 5). Each step has its own unpredictable id (RFC 5452).
 */
export function openConversation(server: ServerAddress, question: AskedQuestion, events: ConversationEvents): Channel {
  let channel = start(openUdp, true);

  function start(open: typeof openUdp, edns: boolean): Channel {
    const id = randomInt(0x1_0000);
    const overTcp = open === openTcp;
    const channelEvents: ChannelEvents = {
      broken: (reason) => events.ended({ kind: 'failed', reason }),
      message(bytes) {
        const response = readResponse(bytes, id, question);
        if (response === null) garbage(overTcp);
        else read(response, overTcp, edns);
      },
    };
    return open(server, encodeQuestion(id, question, edns), channelEvents);
  }

  function next(open: typeof openUdp, edns: boolean): void {
    channel.close();
    channel = start(open, edns);
  }

  function finish(ending: Ending): void {
    channel.close();
    events.ended(ending);
  }

  function garbage(overTcp: boolean): void {
    events.garbage();
    // Over UDP it may be forged, and the true answer still to come; a TCP stream is the server's own.
    if (overTcp) finish({ kind: 'failed', reason: 'broken' });
  }

  function read(response: Response, overTcp: boolean, edns: boolean): void {
    const lacksEdns = response.rcode === rcodes.formatError || response.rcode === rcodes.badVersion;
    const refusal = response.truncated ? 'broken' : refusalOf(response);
    if (lacksEdns && edns) next(overTcp ? openTcp : openUdp, false);
    else if (response.truncated && !overTcp) next(openTcp, edns);
    else finish(refusal === null ? { kind: 'response', response } : { kind: 'failed', reason: refusal });
  }

  return { resend: () => channel.resend(), close: () => channel.close() };
}
