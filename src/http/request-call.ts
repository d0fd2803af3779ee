import { AppError } from '../errors.ts';
import type { Author, Body, Call, Caller } from './endpoint.ts';
import type { EndpointMount } from './endpoint-route.ts';
import type { Exchange } from './exchange.ts';
import type { SessionContext } from './session-api/session-context.ts';
import type { CallStages } from './timing/stage-times.ts';

/** A request as endpoints see it. A class, because creating an object literal with getters is far slower. */
export class RequestCall implements Call {
  readonly params: Call['params'];
  readonly query: Call['query'];
  readonly requestId: string;
  readonly stages: CallStages;
  readonly #readBody: () => Body;
  #body: Body | null = null;
  readonly #exchange: Exchange;
  readonly #mount: EndpointMount;

  /** The input is the exchange's own, unless another protocol carries it. */
  constructor(exchange: Exchange, input: Pick<Call, 'params' | 'query'>, body: () => Body, mount: EndpointMount) {
    this.params = input.params;
    this.query = input.query;
    this.#readBody = body;
    this.requestId = exchange.id;
    this.stages = exchange.stages;
    this.#exchange = exchange;
    this.#mount = mount;
  }

  get caller(): Caller {
    return callerOf(this.#exchange);
  }

  /** Parsed when it is first needed: parsing is work of the endpoint. */
  get body(): Body {
    this.#body ??= this.#readBody();
    return this.#body;
  }

  get author(): Author {
    const { accountId, environment, keyId, userId } = this.caller;
    const from = this.#mount.server.addresses.of(this.#exchange.request);
    const who = userId === undefined ? ({ kind: 'key', id: keyId } as const) : ({ kind: 'user', id: userId } as const);
    return { accountId, environment, by: { ...who, from } };
  }

  get session(): SessionContext {
    const session = this.#mount.sessionOf(this.#exchange);
    if (session === null) throw new AppError('session_required');
    return session;
  }

  get baseUrl(): string {
    const { prefix, server } = this.#mount;
    const base = server.publicUrl ?? server.addresses.baseUrl(this.#exchange.request);
    return base + prefix.replace('{environment}', () => this.caller.environment);
  }
}

/** The caller of an admitted request. */
export function callerOf({ caller }: Exchange): Caller {
  if (caller === null) throw new Error('an endpoint ran before its caller was identified');
  return caller;
}
