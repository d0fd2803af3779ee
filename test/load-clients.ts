import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Clients that send the next request after the last one is answered, and the responses so far. */
export interface LoadClients {
  /** Responses by status. */
  readonly answers: Map<number, number>;
  count(status: number): number;
  /** The client's port of every request without a response. */
  readonly unanswered: readonly number[];
  /** Resolves when every client has ended. */
  readonly ended: Promise<void>;
  /** Ends every client after its current response. */
  stop(): void;
}

/** The load and its target. */
export interface LoadOptions {
  readonly urls: readonly string[];
  readonly path: string;
  readonly key: string;
  readonly clients: number;
  /** The status after which a client ends; without one, clients continue until `stop`. */
  readonly until?: number;
  /** How long a client waits after each response. */
  readonly thinkMs?: number;
}

/** The pause after a 503 or a request without a response. */
const pauseMs = 20;

/** Starts the clients, each on its own connection to one of the instances. */
export function startLoadClients({ urls, path, key, clients, until, thinkMs = 0 }: LoadOptions): LoadClients {
  const answers = new Map<number, number>();
  const unanswered: number[] = [];
  let isStopped = false;
  const run = async (url: string): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let status = 0; !isStopped && status !== until; ) {
      status = await ask(`${url}${path}`, key, agent, (port) => unanswered.push(port));
      answers.set(status, (answers.get(status) ?? 0) + 1);
      if (status === 503 || status === 0) await sleep(pauseMs);
      else if (thinkMs > 0) await sleep(thinkMs);
    }
    agent.destroy();
  };
  const running = Array.from({ length: clients }, (_, client) => run(urls[client % urls.length] ?? ''));
  return {
    answers,
    unanswered,
    count: (status) => answers.get(status) ?? 0,
    ended: Promise.all(running).then(() => {}),
    stop() {
      isStopped = true;
    },
  };
}

/** The status of one response; 0 when there was none. */
export async function ask(
  url: string,
  key: string,
  agent?: Agent,
  onUnanswered: (port: number) => void = () => {},
): Promise<number> {
  const asked = request(url, { agent, headers: { authorization: `Bearer ${key}` } });
  let port = 0;
  asked.once('socket', (socket) => {
    const note = (): void => {
      port = socket.localPort ?? 0;
    };
    if (socket.connecting) socket.once('connect', note);
    else note();
  });
  asked.end();
  try {
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    return answer.statusCode ?? 0;
  } catch {
    // A missing response is counted, too.
    onUnanswered(port);
    return 0;
  }
}
