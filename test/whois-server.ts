import { type AddressInfo, createServer, type Socket } from 'node:net';

/** How the server responds to a query: sends text and closes, sends bytes without end, or does not respond. */
export type WhoisScenario = string | { readonly kind: 'endless' | 'silent' | 'drip' };

/** A registry's WHOIS server on loopback. */
export interface FakeWhoisServer {
  readonly port: number;
  /** Queries received, in order. */
  readonly questions: string[];
  behave(question: string, scenario: WhoisScenario): void;
  close(): Promise<void>;
}

/** Starts the server. A query without a scenario gets "No match". */
export async function startWhoisServer(): Promise<FakeWhoisServer> {
  const scenarios = new Map<string, WhoisScenario>();
  const questions: string[] = [];
  const sockets = new Set<Socket>();

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // In some scenarios the client disconnects early; the socket then closes by itself.
    socket.on('error', () => socket.destroy());
    socket.once('data', (data) => {
      const question = data.toString('latin1').replace(/\r\n$/, '');
      questions.push(question);
      answer(socket, scenarios.get(question) ?? 'No match\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    port: (server.address() as AddressInfo).port,
    questions,
    behave: (question, scenario) => scenarios.set(question, scenario),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(socket: Socket, scenario: WhoisScenario): void {
  if (typeof scenario === 'string') {
    socket.end(scenario, 'latin1');
  } else if (scenario.kind === 'endless') {
    const more = () => {
      while (!socket.destroyed && socket.write('% nothing to see here\r\n'.repeat(1_000)));
    };
    socket.on('drain', more);
    more();
  } else if (scenario.kind === 'drip') {
    const timer = setInterval(() => socket.write('.'), 100);
    socket.on('close', () => clearInterval(timer));
  }
}
