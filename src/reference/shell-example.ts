import type { Call, Parameter } from './open-api.ts';

/** The example of an operation as a command for a shell, with the key in `$KEY` and the service in `$URL`. */
export function shellExample({ method, path, operation }: Call): string {
  const body = operation.requestBody?.content?.['application/json'].example;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}-H "Authorization: Bearer $KEY" \\`,
    ...(body === undefined ? [] : ['  -H "Content-Type: application/json" \\', `  -d ${quoted(readable(body))} \\`]),
    `  "$URL${exampleTarget(path, operation.parameters)}"`,
  ].join('\n');
}

/** The path and query of the example; `{name}` stays where there is none. */
function exampleTarget(path: string, parameters: readonly Parameter[]): string {
  const value = (name: string): string | undefined => parameters.find((one) => one.name === name)?.example;
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const example = value(name);
    return example === undefined ? whole : encodeURIComponent(example);
  });
  const query = parameters
    .filter((one) => one.in === 'query' && one.example !== undefined)
    .map(({ name, example = '' }) => `${name}=${encodeURIComponent(example)}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** On one line if it is short. */
function readable(body: unknown): string {
  const line = JSON.stringify(body);
  return line.length <= 50 ? line : JSON.stringify(body, null, 2);
}
