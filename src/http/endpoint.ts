import type { ErrorCode } from '../errors.ts';
import { whenSettled } from '../time/when-settled.ts';
import type { JsonSchema } from './schema.ts';

/** Which error shape an endpoint speaks (see error-shapes.ts). */
export type Family = 'lookup' | 'blocklist' | 'gates' | 'gates-v0';

export type Environment = 'production' | 'staging' | 'development';

/** Whose blocklist, gates and logs: each environment of an account has its own. */
export interface Owner {
  readonly accountId: string;
  readonly environment: Environment;
}

/** The plan behind a key, as far as the HTTP layer and the endpoints need it. */
export interface CallerPlan {
  readonly id: string;
  readonly name: string;
  readonly pro: boolean;
  readonly credits: number;
  readonly rateLimit: number;
}

/** Whose key a request carries. One object per key, reused between requests. */
export interface Caller extends Owner {
  readonly keyId: string;
  readonly plan: CallerPlan;
  readonly overage: boolean;
  readonly accountName: string;
  readonly accountEmail: string;
  readonly accountCreatedAtMs: number;
}

/** A request body before anybody has judged it; families treat a bad one differently. */
export type Body =
  | { readonly kind: 'absent' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'malformed'; readonly problem: string }
  | { readonly kind: 'other-type' };

/** One authenticated request, as endpoints see it. */
export interface Call {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Body;
  readonly caller: Caller;
  readonly requestId: string;
  /** `PUBLIC_URL`, else the request's own scheme and host. No trailing slash. */
  readonly baseUrl: string;
}

/** A request whose input is valid and whose object exists: what it costs, and the work itself. */
export interface Prepared {
  readonly credits: number;
  work(): unknown;
}

/** An answer that is JSON text already. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

interface Description {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In OpenAPI's notation: `/domain/{domain}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly family: Family;
  readonly plan: 'any' | 'pro';
  readonly schemas: {
    readonly params?: JsonSchema;
    readonly query?: JsonSchema;
    readonly body?: JsonSchema;
    /** The body of the successful answer; absent when it has none. */
    readonly response?: JsonSchema;
  };
  /** The status of success; 200 unless said otherwise. */
  readonly status?: 200 | 201 | 204;
  /** The codes this endpoint may answer beyond the ones every endpoint of its family shares. */
  readonly errors: readonly ErrorCode[];
}

/** What a feature writes down about one endpoint. */
export interface EndpointDefinition<Input> extends Description {
  /** Credits charged when the answer is 200. */
  readonly credits: number | ((input: Input) => number);
  /** Input and object checks: throws `AppError`. Runs before credits are looked at. */
  input(call: Call): Input | Promise<Input>;
  handle(input: Input, call: Call): unknown;
}

/** An endpoint as the server mounts it. */
export interface Endpoint extends Description {
  readonly chargeable: boolean;
  prepare(call: Call): Prepared | Promise<Prepared>;
}

/** Declares an endpoint: route, permission, metering, documentation and error shape follow from it. */
export function endpoint<Input>(definition: EndpointDefinition<Input>): Endpoint {
  const { credits, input, handle, ...description } = definition;
  const prepared = (value: Input, call: Call): Prepared => ({
    credits: typeof credits === 'number' ? credits : credits(value),
    work: () => handle(value, call),
  });
  return {
    ...description,
    chargeable: credits !== 0,
    prepare: (call) => whenSettled(input(call), (settled) => prepared(settled, call)),
  };
}
