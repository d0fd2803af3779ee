import { randomInt } from 'node:crypto';
import { createYielder } from '../../platform/yielding.ts';
import { refusalOf } from './dns-interpretation.ts';
import { encodeQuestion, type Response, rcodes, readResponse } from './dns-message.ts';
import type { AskedQuestion, FailureReason } from './dns-question.ts';
import type { ServerAddress } from './dns-servers.ts';
import { type Channel, type ChannelEvents, openTcp, openUdp } from './dns-transport.ts';

/** How a conversation with one server ended: a usable response, or the reason there is none. */
export type Ending =
  | { readonly kind: 'response'; readonly response: Response }
  | { readonly kind: 'failed'; readonly reason: FailureReason };

/** The events of a conversation. `ended` comes at most once, and never while the conversation is being opened. */
export interface ConversationEvents {
  ended(ending: Ending): void;
  /** Received bytes that are not a response to the question: a forgery or a broken server. */
  garbage(): void;
}

/** A message with a thousand records takes milliseconds to read: larger messages than this are read one per iteration of the event loop. */
const maxImmediateBytes = 4_096;
const nextLargeMessage = createYielder(undefined, 0);

/**
 * One question to one server: UDP with EDNS, without it for a server that does not know it (RFC 6891 section 7), TCP when
 * the answer is cut short (RFC 7766 section 5). Each step has its own unpredictable id (RFC 5452).
 */
export function openConversation(server: ServerAddress, question: AskedQuestion, events: ConversationEvents): Channel {
  let isOver = false;
  let channel = start(openUdp, true);

  function start(open: typeof openUdp, edns: boolean): Channel {
    const id = randomInt(0x1_0000);
    const overTcp = open === openTcp;
    let isReading = false;
    const receive = (bytes: Buffer): void => {
      isReading = false;
      const response = readResponse(bytes, id, question);
      if (response === null) garbage(overTcp);
      else read(response, overTcp, edns);
    };
    const channelEvents: ChannelEvents = {
      broken(reason) {
        // Servers close a connection after their response, which may still wait to be read.
        if (!isReading) events.ended({ kind: 'failed', reason });
      },
      message(bytes) {
        if (bytes.length <= maxImmediateBytes) return receive(bytes);
        isReading = true;
        void (nextLargeMessage() ?? Promise.resolve()).then(() => isOver || receive(bytes));
      },
    };
    return open(server, encodeQuestion(id, question, edns), channelEvents);
  }

  function next(open: typeof openUdp, edns: boolean): void {
    channel.close();
    channel = start(open, edns);
  }

  function finish(ending: Ending): void {
    isOver = true;
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

  return {
    resend: () => channel.resend(),
    close() {
      isOver = true;
      channel.close();
    },
  };
}
