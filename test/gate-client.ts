import assert from 'node:assert/strict';
import type { Response } from './inject.ts';
import type { StartedApp } from './start-app.ts';

/** A rule in a response, with the fields that tests use. */
export interface WireRule {
  readonly id: string;
  readonly name: string;
  readonly position: number;
  readonly [field: string]: unknown;
}

/** A gate in a response. */
export interface WireGate {
  readonly id: string;
  readonly name: string;
  readonly default_action: string;
  readonly rules_count: number;
  readonly rules: readonly WireRule[];
  readonly [field: string]: unknown;
}

/** A decision in a response, and in the log with its `id`. */
export interface WireDecision {
  readonly id?: string;
  readonly input: { readonly email?: string; readonly domain?: string; readonly ip?: string };
  readonly decision: { readonly action: string; readonly matched_rule: { id: string; name: string } | null };
  readonly signals: {
    readonly email: Readonly<Record<string, unknown>> | null;
    readonly domain: Readonly<Record<string, unknown>>;
    readonly ip: Readonly<Record<string, unknown>> | null;
  };
  readonly meta: Readonly<Record<'version' | 'request_id' | 'decision_id' | 'created_at', string>>;
}

/** An error response of Gates. */
export interface WireError {
  readonly error: string;
  readonly message: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly meta?: { readonly request_id: string };
}

type Method = Parameters<StartedApp['request']>[0];

/** Calls Gates with one key. */
export interface GateClient {
  call<T = WireError>(method: Method, path: string, body?: unknown): Promise<Response<T>>;
  /** Creates a gate, without rules unless a preset is named. */
  createGate(body?: object): Promise<WireGate>;
  readGate(gateId: string): Promise<WireGate>;
  addRule(gateId: string, rule?: object): Promise<WireRule>;
  /** Decides one millisecond after every earlier decision, so that the order of the log is defined. */
  decide(gateId: string, body: object): Promise<WireDecision>;
}

/** A client of a test service. */
export function gateClient(started: StartedApp, key = started.keys.production): GateClient {
  const call = <T>(method: Method, path: string, body?: unknown) =>
    started.request<T>(method, path, { key, ...(body === undefined ? {} : { body }) });
  const data = async <T>(method: Method, path: string, body?: unknown): Promise<T> => {
    const answer = await call<{ data: T }>(method, path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.json.data;
  };
  return {
    call,
    createGate: (body = {}) => data('POST', '/v1/gates', { name: 'Signup', preset: 'none', ...body }),
    readGate: (gateId) => data('GET', `/v1/gates/${gateId}`),
    addRule: (gateId, rule = {}) =>
      data('POST', `/v1/gates/${gateId}/rules`, { ...blockDomain('example.com'), ...rule }),
    async decide(gateId, body) {
      started.clock.advance(1);
      const answer = await call<WireDecision>('POST', `/v1/gates/${gateId}/decisions`, body);
      assert.equal(answer.status, 200, answer.text);
      return answer.json;
    },
  };
}

/** A new rule that blocks a domain by name. */
export function blockDomain(domain: string): object {
  return {
    name: `No ${domain}`,
    action: 'block',
    conditions: [{ field: 'domain.name', operator: 'equals', value: domain }],
  };
}
