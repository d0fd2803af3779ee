import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The two modes of the protocol, as the official client calls them. */
export const manners = { introduced: 'legacy', stateless: { pin: '2026-07-28' } } as const;

/** How an agent connects. */
export interface AgentOptions {
  readonly url: string;
  readonly key: string;
  readonly manner?: keyof typeof manners;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The result of a tool call; `json` is its parsed text. */
export interface ToolOutcome<T> {
  readonly isError: boolean;
  readonly json: T;
}

/** An agent that uses the official client. */
export interface Agent {
  readonly client: Client;
  tools(): Promise<string[]>;
  call<T>(name: string, args?: object): Promise<ToolOutcome<T>>;
  /** Calls a tool that must succeed. */
  ask<T>(name: string, args?: object): Promise<T>;
  close(): Promise<void>;
}

/** Connects an agent to a service that listens. */
export async function connectAgent({ url, key, manner = 'introduced', headers = {} }: AgentOptions): Promise<Agent> {
  const client = new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode: manners[manner] } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } },
    }),
  );
  const call = async <T>(name: string, args: object = {}): Promise<ToolOutcome<T>> => {
    const { content, isError } = await client.callTool({ name, arguments: { ...args } });
    const [first] = content;
    assert.ok(first?.type === 'text', 'a tool returns text');
    return { isError: isError === true, json: first.text === 'Done.' ? undefined : JSON.parse(first.text) };
  };
  return {
    client,
    call,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async ask<T>(name: string, args?: object) {
      const { isError, json } = await call<T>(name, args);
      assert.ok(!isError, `${name}: ${JSON.stringify(json)}`);
      return json;
    },
    close: () => client.close(),
  };
}
