import { accept } from '../../input/accept.ts';
import type { Input } from '../../input/input.ts';
import type { JsonSchema } from '../../input/schema.ts';
import { jsonWriter } from '../answers/json-writer.ts';
import type { Body, Sent } from '../endpoint.ts';
import type { CallableOperation } from '../openapi.ts';
import { readBody } from '../read-body.ts';
import { type PathParams, paramsSchema } from '../routing/path-params.ts';
import type { Role, SessionContext } from './session-context.ts';

interface Description {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to `/console/api`: `/users/{id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** Who may call it. */
  readonly access: 'public' | Role;
  /** The status of success; 200 by default. */
  readonly status?: 200 | 201 | 202 | 204;
}

/** How a feature declares a console endpoint that belongs to no environment. */
export interface SessionEndpointDefinition<Path extends string, Query, Body> extends Description {
  readonly path: Path;
  readonly query?: Input<Query>;
  readonly body?: Input<Body>;
  /** The body of a successful response; absent when it has none. */
  readonly response?: JsonSchema;
  handle(sent: Sent<Path, Query, Body>, context: SessionContext): unknown;
}

/** A request before its parts are read and validated. */
export interface UnreadRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: Body;
}

/** A console endpoint as the server mounts it. */
export interface SessionEndpoint extends Description {
  readonly schemas: CallableOperation['schemas'];
  /** The JSON text of the response; undefined when it has no body. */
  answer(request: UnreadRequest, context: SessionContext): Promise<string | undefined>;
}

/** Declares a console endpoint: route, permission, typed input, response and error shape follow from it. */
export function sessionEndpoint<Path extends string, Query = undefined, Body = undefined>(
  definition: SessionEndpointDefinition<Path, Query, Body>,
): SessionEndpoint {
  const { query, body, response, handle, ...description } = definition;
  const write = response === undefined ? undefined : jsonWriter(response);
  return {
    ...description,
    schemas: {
      params: paramsSchema(definition.path),
      ...(query === undefined ? {} : { query: query.schema }),
      ...(body === undefined ? {} : { body: body.schema }),
      ...(response === undefined ? {} : { response }),
    },
    async answer(request, context) {
      const sent = {
        params: request.params as PathParams<Path>,
        // An input that the endpoint does not declare has the type `undefined` and is not read.
        query: (query === undefined ? undefined : accept(query, request.query)) as Query,
        body: (body === undefined ? undefined : readBody(body, request.body, 'gates')) as Body,
      };
      const output = await handle(sent, context);
      return write?.(output);
    },
  };
}
