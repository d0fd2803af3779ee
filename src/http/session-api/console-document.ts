import { schema } from '../../input/schema.ts';
import { type Endpoint, environments, isPublic } from '../endpoint.ts';
import { callPart, pathsOf } from '../openapi.ts';

/**
 * The internal OpenAPI document of the endpoints that only the console has: their inputs and successful responses, from which the
 * types of its client are generated. Paths are relative to `/console/api`.
 */
export function consoleDocument(endpoints: readonly Endpoint[]): object {
  const own = endpoints.filter((endpoint) => !isPublic(endpoint)).map(belowConsole);
  return { paths: pathsOf(own, (endpoint) => ({ tags: ['Console'], ...callPart(endpoint) })) };
}

function belowConsole(endpoint: Endpoint): Endpoint {
  const { path, schemas, accountRole } = endpoint;
  if (accountRole !== undefined) return endpoint;
  const params = {
    ...schemas.params,
    properties: { environment: schema.oneOf(environments), ...Object(schemas.params.properties) },
  };
  return { ...endpoint, path: `/{environment}${path}`, schemas: { ...schemas, params } };
}
