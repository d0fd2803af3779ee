import { schema } from '../../input/schema.ts';
import { type Endpoint, environments, isPublic } from '../endpoint.ts';
import { type CallableOperation, internalDocument } from '../openapi.ts';
import type { SessionEndpoint } from './session-endpoint.ts';

/** The internal OpenAPI document of the endpoints that only the console has; paths are relative to `/console/api`. */
export function consoleDocument(sessionEndpoints: readonly SessionEndpoint[], endpoints: readonly Endpoint[]): object {
  const inEnvironment = endpoints.filter((endpoint) => !isPublic(endpoint)).map(belowEnvironment);
  return internalDocument([...sessionEndpoints, ...inEnvironment]);
}

function belowEnvironment({ method, path, operationId, summary, status = 200, schemas }: Endpoint): CallableOperation {
  const params = {
    ...schemas.params,
    properties: { environment: schema.oneOf(environments), ...Object(schemas.params.properties) },
  };
  return { method, path: `/{environment}${path}`, operationId, summary, status, schemas: { ...schemas, params } };
}
