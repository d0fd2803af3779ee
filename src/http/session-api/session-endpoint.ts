import { accept } from '../../input/accept.ts';
import type { Input } from '../../input/input.ts';
import type { Body, Sent } from '../endpoint.ts';
import { readBody } from '../read-body.ts';
import type { PathParams } from '../routing/path-params.ts';
import type { Role, SessionContext } from './session-context.ts';

interface Description {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Behind `/console/api`: `/users/{id}`. */
  readonly path: string;
  readonly operationId: string;
  /** Who may call it. */
  readonly access: 'public' | Role;
  /** The status of success; 200 unless said otherwise. */
  readonly status?: 200 | 201 | 202 | 204;
}

/** What a feature writes down about one endpoint of the console that belongs to no environment. */
export interface SessionEndpointDefinition<Path extends string, Query, Body> extends Description {
  readonly path: Path;
  readonly query?: Input<Query>;
  readonly body?: Input<Body>;
  handle(sent: Sent<Path, Query, Body>, context: SessionContext): unknown;
}

/** What came with a request, not read yet. */
export interface UnreadRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: Body;
}

/** An endpoint of the console as the server mounts it. */
export interface SessionEndpoint extends Description {
  answer(request: UnreadRequest, context: SessionContext): unknown;
}

/** Declares an endpoint of the console: route, permission, typed input and error shape follow from it. */
export function sessionEndpoint<Path extends string, Query = undefined, Body = undefined>(
  definition: SessionEndpointDefinition<Path, Query, Body>,
): SessionEndpoint {
  const { query, body, handle, ...description } = definition;
  return {
    ...description,
    answer: (request, context) =>
      handle(
        {
          params: request.params as PathParams<Path>,
          // What the types call `undefined` is what is not described, and so not read.
          query: (query === undefined ? undefined : accept(query, request.query)) as Query,
          body: (body === undefined ? undefined : readBody(body, request.body, 'gates')) as Body,
        },
        context,
      ),
  };
}
