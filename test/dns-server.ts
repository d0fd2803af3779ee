import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import * as dnsPacket from 'dns-packet';
import { type DnsBehaviour, type Reply, replies } from './dns-behaviour.ts';
import { type DnsZone, withTopLevel } from './dns-zone.ts';

/** A DNS server on loopback, over UDP and TCP. */
export interface DnsServer {
  /** `127.0.0.1:port`. */
  readonly address: string;
  /** Queries received, by `name TYPE` (`example.com MX`), retries included. */
  readonly questions: Map<string, number>;
  setZone(zone: DnsZone): void;
  /** `*` means every name without its own behaviour. */
  behave(name: string, behaviour: DnsBehaviour): void;
  close(): Promise<void>;
}

/** Starts a server that answers from a zone; other names get NXDOMAIN with an SOA. */
export async function startDnsServer(zone: DnsZone): Promise<DnsServer> {
  const behaviours = new Map<string, DnsBehaviour>();
  const questions = new Map<string, number>();
  const connections = new Set<Socket>();
  // Once for all queries: a zone may have thousands of names.
  let current = withTopLevel(zone);
  let packets = 0;

  function answer(query: Buffer, fromPort: number, overTcp: boolean): readonly Reply[] {
    const asked = dnsPacket.decode(query);
    const question = asked.questions?.[0];
    if (question === undefined) return [];
    const name = question.name.toLowerCase();
    const key = `${name} ${question.type}`;
    questions.set(key, (questions.get(key) ?? 0) + 1);
    let behaviour = behaviours.get(name) ?? behaviours.get('*') ?? 'normal';
    if (behaviour === 'half-denying') behaviour = packets++ % 2 === 0 ? 'denying' : 'normal';
    if (behaviour === 'half-lost' && packets++ % 2 === 0) return [];
    return replies(behaviour, query, fromPort, asked, current, overTcp);
  }

  const { udp, tcp, port } = await listenOnBoth();
  const elsewhere = createSocket('udp4');
  udp.on('message', (query: Buffer, from: RemoteInfo) => {
    for (const reply of answer(query, from.port, false)) {
      const socket = reply.fromElsewhere ? elsewhere : udp;
      later(reply.afterMs, () => socket.send(reply.bytes, from.port, from.address));
    }
  });
  tcp.on('connection', (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    // A client that disconnects early is not a failure of the server.
    socket.on('error', () => socket.destroy());
    eachMessage(socket, (query) => {
      for (const reply of answer(query, socket.remotePort ?? 0, true))
        later(reply.afterMs, () => socket.write(prefixed(reply.bytes)));
    });
  });

  const timers = new Set<NodeJS.Timeout>();
  function later(afterMs: number | undefined, act: () => void): void {
    if (afterMs === undefined) {
      act();
      return;
    }
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, afterMs);
    timers.add(timer);
  }

  return {
    address: `127.0.0.1:${port}`,
    questions,
    setZone(next) {
      current = withTopLevel(next);
    },
    behave: (name, behaviour) => void behaviours.set(name.toLowerCase(), behaviour),
    async close() {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of connections) socket.destroy();
      udp.close();
      elsewhere.close();
      tcp.close();
      await once(tcp, 'close');
    },
  };
}

/** A port that is free for both: the system may assign a UDP port that is in use for TCP. */
async function listenOnBoth() {
  for (;;) {
    const udp = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 });
    udp.bind(0, '127.0.0.1');
    await once(udp, 'listening');
    const { port } = udp.address();
    const tcp = createServer();
    const listening = Promise.race([
      once(tcp, 'listening').then(() => true),
      new Promise<boolean>((resolve) => tcp.once('error', () => resolve(false))),
    ]);
    tcp.listen(port, '127.0.0.1');
    if (await listening) return { udp, tcp, port };
    udp.close();
  }
}

function prefixed(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function eachMessage(socket: Socket, act: (message: Buffer) => void): void {
  let held = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    while (held.length >= 2 && held.length >= 2 + held.readUInt16BE(0)) {
      const end = 2 + held.readUInt16BE(0);
      act(held.subarray(2, end));
      held = held.subarray(end);
    }
  });
}
