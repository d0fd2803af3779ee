import type { Action, Decision } from './decide.ts';

/** A part of an object, at every depth; lists are given whole. */
export type PartOf<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: PartOf<T[K]> }
    : T;

/** The signals of a decision. */
export type DecisionSignals = Decision['signals'];

/** An ordinary visitor: jane@example.com, nothing suspicious, no IP address. */
const ordinary: DecisionSignals = {
  email: {
    address: 'jane@example.com',
    normalized: 'jane@example.com',
    local_part: 'jane',
    local_part_length: 4,
    subaddress: null,
    disposable: false,
    role_account: false,
  },
  domain: {
    name: 'example.com',
    registrable: 'example.com',
    tld: 'com',
    sld: 'example',
    subdomain: null,
    domain_authority: 50,
    tld_trust: 1,
    age_days: 3_650,
    mx: true,
    mx_records: [{ hostname: 'mx.example.com', priority: 10 }],
    mx_providers: [],
    spf: 'strict',
    dmarc: 'reject',
    disposable: false,
    disposable_provider: null,
    public_domain: false,
    relay_domain: false,
    free_subdomain: false,
    spam: false,
    did_you_mean: null,
    blocklisted: false,
  },
  ip: null,
};

/** An IP address of an ordinary visitor, for tests that give only some of its signals. */
const ordinaryIp: NonNullable<DecisionSignals['ip']> = {
  address: '203.0.113.7',
  abuse: { detected: false },
  anonymity: {
    proxy: { detected: false },
    relay: { detected: false },
    tor: { detected: false },
    vpn: { detected: false },
  },
  hosting: { detected: false },
  geo: { country: 'France', country_code: 'FR', continent: 'Europe', continent_code: 'EU', city: null },
  network: { asn: 64_496, aso: 'Example', domain: 'example.net', type: 'isp' },
};

/** The signals of an ordinary visitor with these changes: `fakeSignals({ domain: { disposable: true } })`. */
export function fakeSignals(changes: PartOf<DecisionSignals> = {}): DecisionSignals {
  const base = changes.ip ? { ...ordinary, ip: ordinaryIp } : ordinary;
  return merge(base, changes) as DecisionSignals;
}

/** Optional properties of a fake decision besides its action. */
export interface FakeDecision {
  readonly signals?: PartOf<DecisionSignals> | undefined;
  /** The matched rule; by default none for `allow`, else one named "Test rule". */
  readonly rule?: { readonly name?: string; readonly message?: string | null } | null | undefined;
}

/** A decision as `client.gates.decide` returns it, for tests without a service. */
export function fakeDecision(action: Action, { signals, rule }: FakeDecision = {}): Decision {
  const read = fakeSignals(signals);
  const byDefault = action === 'allow' ? null : {};
  const matched = rule === undefined ? byDefault : rule;
  return {
    action,
    input: { email: read.email?.address ?? ordinary.domain.name },
    decision: {
      action,
      matched_rule: matched && { id: '01k00000000000000000000000', name: 'Test rule', message: null, ...matched },
    },
    signals: read,
    meta: {
      version: 'v1',
      request_id: '01K00000000000000000000001',
      decision_id: '01K00000000000000000000002',
      duration_ms: 1,
      created_at: '2026-01-01T00:00:00+00:00',
    },
  };
}

function merge(base: unknown, changes: unknown): unknown {
  if (changes === undefined) return base;
  if (!isObject(base) || !isObject(changes)) return changes;
  const names = new Set([...Object.keys(base), ...Object.keys(changes)]);
  return Object.fromEntries([...names].map((name) => [name, merge(base[name], changes[name])]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
