import type { Actor } from '../actor.ts';
import type { ErrorCode } from '../errors.ts';
import { accept } from '../input/accept.ts';
import type { Input } from '../input/input.ts';
import type { JsonSchema } from '../input/schema.ts';
import { mapMaybePromise } from '../platform/map-maybe-promise.ts';
import { yieldToEventLoop } from '../platform/yielding.ts';
import type { Lane } from './account-work.ts';
import type { WireText } from './answers/wire-object.ts';
import { bodyObject } from './body-parser.ts';
import { readBody } from './read-body.ts';
import { type PathParams, paramsSchema } from './routing/path-params.ts';
import type { Role, SessionContext } from './session-api/session-context.ts';
import type { CallStages } from './timing/stage-times.ts';

/** The error shapes (see error-shapes.ts); each endpoint uses one. */
export type Family = 'lookup' | 'blocklist' | 'gates' | 'gates-v0';

export const environments = ['production', 'staging', 'development'] as const;
export type Environment = (typeof environments)[number];

/** The owner of a blocklist, gates and logs: each environment of an account has its own. */
export interface Owner {
  readonly accountId: string;
  readonly environment: Environment;
}

/** The author of a change, for the audit trail. */
export interface Author extends Owner {
  readonly by: Actor;
}

/** The plan behind a key, as far as the HTTP layer and the endpoints need it. */
export interface CallerPlan {
  readonly id: string;
  readonly name: string;
  readonly pro: boolean;
  readonly credits: number;
  readonly rateLimit: number;
  /** The most domains one blocklist holds. */
  readonly blocklistEntries: number;
}

/** The restrictions of a publishable key: it reads hints, for pages of these origins. */
export interface PublishableKey {
  readonly origins: readonly string[];
  /** Whether hints say that an address is disposable. */
  readonly showsDisposable: boolean;
}

/** The owner of a request's key, or the signed-in user. One object per key, reused between requests. */
export interface Caller extends Owner {
  /** Empty when there is no key. */
  readonly keyId: string;
  /** Set when the key is publishable. */
  readonly publishable?: PublishableKey | null;
  /** The signed-in user of the console. */
  readonly userId?: string;
  readonly plan: CallerPlan;
  readonly overage: boolean;
  readonly accountName: string;
  readonly accountEmail: string;
  readonly accountCreatedAtMs: number;
}

/** A request body before validation; families treat a bad one differently. */
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
  /** The caller as the author of a change. */
  readonly author: Author;
  /** The session of a request to the console; a request with a key has none, and reading it throws `session_required`. */
  readonly session: SessionContext;
  readonly requestId: string;
  /** Marks the stages of the request, for timings. */
  readonly stages: CallStages;
  /** `PUBLIC_URL`, else the request's own scheme and host. No trailing slash. */
  readonly baseUrl: string;
}

/** A request whose input is valid and whose object exists: its cost, and the work itself. */
export interface Prepared {
  readonly credits: number;
  work(): unknown;
}

/** A response that is JSON text already. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** How an agent calls an endpoint over MCP. */
export interface ToolDescription {
  readonly name: string;
  /** Agents may write only with the header `Gates-Mode: write`. */
  readonly access: 'read' | 'write';
  /** Text for agents beyond summary and description: the purpose, and the calls before and after. */
  readonly guide?: string;
  /** Whether it overwrites or removes something; by default every method but POST does. */
  readonly destructive?: true;
  /** Shortens a response for agents, who pay for every character; the argument `full` returns all of it. */
  readonly concise?: (response: unknown) => unknown;
  /** Query parameters with a fixed value, hidden from the agent. */
  readonly fixed?: Readonly<Record<string, string>>;
}

/** The callers of an endpoint: clients with a secret key, signed-in users of the console, or both; or web pages with a publishable key. */
export type Access = 'key' | 'session' | 'both' | 'page';

interface Description {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In OpenAPI's notation: `/domain/{domain}`. */
  readonly path: string;
  /** The last segment of the path is never a value of another endpoint's: methods it does not take are refused. */
  readonly reserved?: true;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly family: Family;
  readonly plan: 'any' | 'pro';
  /** `both` by default. An endpoint of sessions alone has no public path and is not in the OpenAPI document. */
  readonly access?: Access;
  /**
   * Set on an endpoint of sessions that belongs to no environment: the users who may call it. A visitor need not be signed in.
   * Such an endpoint has a session and no caller.
   */
  readonly accountRole?: 'visitor' | Role;
  /** Signed-in users of the console pay no credits for it. */
  readonly isFreeInConsole?: true;
  /** Whether the operator may open it to requests without a key. */
  readonly anonymous?: true;
  /** The status of success; 200 by default. */
  readonly status?: 200 | 201 | 202 | 204;
  /** The codes this endpoint may answer beyond the ones every endpoint of its family shares. */
  readonly errors: readonly ErrorCode[];
  /** Makes it a tool of agents. */
  readonly tool?: ToolDescription;
  /**
   * How it shares the processor; by default a GET is a `read` and the rest `usual`. `light`: lookups and decisions, which wait for no
   * other request and are not charged.
   */
  readonly load?: 'light' | Lane;
}

/** The lane in which requests of one account wait for each other; null for `light` ones. */
export function laneOf({
  method,
  load = method === 'GET' ? 'read' : 'usual',
}: Pick<Description, 'load' | 'method'>): Lane | null {
  return load === 'light' ? null : load;
}

/** The parsed input of an endpoint. */
export interface Sent<Path extends string, Query, Body> {
  readonly params: PathParams<Path>;
  readonly query: Query;
  readonly body: Body;
}

/** How a feature declares an endpoint. */
export interface EndpointDefinition<Path extends string, Query, Body, Target, Output> extends Description {
  readonly path: Path;
  readonly query?: Input<Query>;
  readonly body?: Input<Body>;
  /** Runs before the body is validated: work that validation needs and that must yield the event loop. */
  readonly prepareBody?: (body: unknown) => Promise<void>;
  /** Describes the body of the successful response from the handler's output; absent when it has none. */
  readonly response?: WireText<Output>;
  /** Parses or loads the object that the path names; throws `AppError`. Runs after the input is read, before credits are looked at. */
  readonly target?: (sent: Sent<Path, Query, Body>, call: Call) => Target | Promise<Target>;
  /** Credits charged when the response is 200. */
  readonly credits: number | ((sent: Sent<Path, Query, Body>) => number);
  handle(sent: Sent<Path, Query, Body>, call: Call, target: Target): Output | Promise<Output>;
}

/** An endpoint as the server mounts it. */
export interface Endpoint extends Description {
  readonly schemas: {
    readonly params: JsonSchema;
    readonly query?: JsonSchema;
    readonly body?: JsonSchema;
    readonly isBodyOptional?: boolean;
    readonly response?: JsonSchema;
  };
  readonly chargeable: boolean;
  /** The JSON text of a result; undefined where the endpoint responds without a body. */
  textOf(output: unknown): string | undefined;
  prepare(call: Call): Prepared | Promise<Prepared>;
}

/** Whether clients with a key may call an endpoint: it has a public path. Web pages are clients, too. */
export const isPublic = ({ access }: Pick<Endpoint, 'access'>): boolean => access !== 'session';

/** Whether web pages with a publishable key may call an endpoint, and no other client. */
export const isForPages = ({ access }: Pick<Endpoint, 'access'>): boolean => access === 'page';

/** Whether signed-in users of the console may call an endpoint. */
export const isForSessions = ({ access }: Pick<Endpoint, 'access'>): boolean => access !== 'key' && access !== 'page';

/** Declares an endpoint: route, permission, metering, typed input, documentation and error shape follow from it. */
export function endpoint<
  Path extends string,
  Query = undefined,
  Body = undefined,
  Target = undefined,
  Output = unknown,
>(definition: EndpointDefinition<Path, Query, Body, Target, Output>): Endpoint {
  const { query, body, prepareBody, response, target, credits, handle, ...description } = definition;
  const prepare = (call: Call): Prepared | Promise<Prepared> => {
    // Input that the endpoint does not describe is not read; its type is `undefined`.
    const sent = {
      params: call.params as PathParams<Path>,
      query: (query === undefined ? undefined : accept(query, call.query)) as Query,
      body: (body === undefined ? undefined : readBody(body, call.body, definition.family)) as Body,
    };
    const isFree = credits === 0 || (description.isFreeInConsole === true && call.caller.userId !== undefined);
    const prepared = (found: Target): Prepared => ({
      credits: isFree ? 0 : typeof credits === 'number' ? credits : credits(sent),
      work: () => handle(sent, call, found),
    });
    const found = target === undefined ? (undefined as Target) : target(sent, call);
    return mapMaybePromise(found, prepared);
  };
  return {
    ...description,
    schemas: {
      params: paramsSchema(definition.path),
      ...(query === undefined ? {} : { query: query.schema }),
      ...(body === undefined ? {} : { body: body.schema, isBodyOptional: body.mayBeAbsent === true }),
      ...(response === undefined ? {} : { response: response.schema }),
    },
    chargeable: credits !== 0,
    textOf: (output) => response?.text(output as Output),
    prepare: prepareBody === undefined ? prepare : inRounds(prepareBody, prepare),
  };
}

/** Such a body may have 1 MB: parsing, validating and using it each run in their own iteration of the event loop. */
function inRounds(prepareBody: (body: unknown) => Promise<void>, prepare: Endpoint['prepare']): Endpoint['prepare'] {
  return async (call) => {
    await yieldToEventLoop();
    await prepareBody(bodyObject(call.body));
    const prepared = await prepare(call);
    await yieldToEventLoop();
    return prepared;
  };
}
