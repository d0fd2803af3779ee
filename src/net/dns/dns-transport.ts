import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import type { ServerAddress } from './dns-servers.ts';

/** The events of a channel to a server. None is reported after `close`. */
export interface ChannelEvents {
  message(bytes: Buffer): void;
  /** The server cannot be reached or closed the connection, or this machine has no socket left. */
  broken(why: 'refused' | 'broken' | 'busy'): void;
}

/** A connection to one server for one question. */
export interface Channel {
  /** Sends the question again where a packet may have been lost. */
  resend(): void;
  close(): void;
}

/** Errors of a machine without free sockets, ports or buffers. */
const EXHAUSTED: ReadonlySet<string> = new Set([
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EADDRINUSE',
  'EADDRNOTAVAIL',
]);

/**
 * Queries over UDP from its own socket: the system gives each a random port (RFC 5452 section 9.2), and a connected
 * socket takes packets from the server's address and port alone.
 */
export function openUdp(server: ServerAddress, question: Buffer, events: ChannelEvents): Channel {
  const socket = createSocket(server.family === 6 ? 'udp6' : 'udp4').unref();
  let connected = false;
  let closed = false;

  function close(): void {
    if (closed) return;
    closed = true;
    socket.close();
  }
  function broken(error: NodeJS.ErrnoException): void {
    if (closed) return;
    close();
    events.broken(EXHAUSTED.has(error.code ?? '') ? 'busy' : 'refused');
  }
  function send(): void {
    socket.send(question, (error) => {
      if (error !== null) broken(error);
    });
  }

  // Also after close: a packet in transit may still be reported as undeliverable.
  socket.on('error', broken);
  socket.on('message', (bytes) => {
    if (!closed) events.message(bytes);
  });
  socket.once('connect', () => {
    if (closed) return;
    connected = true;
    send();
  });
  // Without a callback, so that a failure to connect is an `error` like the others.
  socket.connect(server.port, server.address);
  return {
    close,
    resend() {
      if (connected && !closed) send();
    },
  };
}

/** Queries over TCP (RFC 7766); one length-prefixed message (RFC 1035 section 4.2.2), so at most 65,537 bytes, is read. */
export function openTcp(server: ServerAddress, question: Buffer, events: ChannelEvents): Channel {
  const socket = connect({ host: server.address, port: server.port, noDelay: true }).unref();
  const chunks: Buffer[] = [];
  let held = 0;
  let wanted: number | null = null;

  function receive(chunk: Buffer): void {
    chunks.push(chunk);
    held += chunk.length;
    if (wanted === null && held >= 2) wanted = 2 + Buffer.concat(chunks).readUInt16BE(0);
    if (wanted === null || held < wanted) return;
    close();
    events.message(Buffer.concat(chunks).subarray(2, wanted));
  }
  function close(): void {
    socket.removeAllListeners('data').removeAllListeners('close');
    socket.destroy();
  }

  // An error is always followed by `close`, which is where it is reported.
  socket.on('error', () => undefined);
  socket.on('close', () => events.broken('broken'));
  socket.on('data', receive);
  const prefix = Buffer.alloc(2);
  prefix.writeUInt16BE(question.length);
  socket.write(Buffer.concat([prefix, question]));
  return { close, resend: () => undefined };
}
