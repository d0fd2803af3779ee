import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '../scripts/services.ts';

/** A TCP proxy in front of a server that can refuse connections, go silent, become slow, and recover. */
export interface FaultyProxy {
  /** The server's URL through the proxy. */
  readonly url: string;
  /** `slow`: every message arrives 200 ms late. */
  set(mode: 'through' | 'refused' | 'silent' | 'slow'): Promise<void>;
  /** Passes new connections; existing ones stay silent for ever, as behind a router that dropped their state. */
  forgetConnections(): void;
  /** How many messages to the server contained this text, counted from the first call. */
  sent(text: string): number;
  close(): void;
}

/** The latency of a slow proxy. */
const delayMs = 200;

/** Starts a proxy in front of the server at `target`. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port: targetPort } = new URL(target);
  const sockets = new Set<Socket>();
  const forgotten = new WeakSet<Socket>();
  const sent = new Map<string, number>();
  let isSilent = false;
  let isSlow = false;
  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('data', (data) => {
      if (isSilent || forgotten.has(from)) return;
      if (isSlow) setTimeout(() => to.write(data), delayMs);
      else to.write(data);
    });
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  };
  const server = createServer((near) => {
    const far = connect(Number(targetPort), hostname);
    near.on('data', (data) => {
      for (const [text, count] of sent) if (data.includes(text)) sent.set(text, count + 1);
    });
    pass(near, far);
    pass(far, near);
  });
  const port = await freePort();
  const listen = async (): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  await listen();
  return {
    url: Object.assign(new URL(target), { port: String(port) }).href,
    async set(mode) {
      isSilent = mode === 'silent';
      isSlow = mode === 'slow';
      // A silent or slow proxy keeps its connections; after recovery, silent ones do not resume.
      if (!isSilent && !isSlow) cut();
      if (mode === 'refused') server.close();
      else if (!server.listening) await listen();
    },
    forgetConnections() {
      isSilent = false;
      for (const socket of sockets) forgotten.add(socket);
    },
    sent(text) {
      const count = sent.get(text) ?? 0;
      sent.set(text, count);
      return count;
    },
    close() {
      cut();
      server.close();
    },
  };
}
