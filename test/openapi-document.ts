import { readFileSync } from 'node:fs';
import type { InjectedRequest } from './inject.ts';

/** A JSON Schema, with the keywords that the service uses. */
export interface WireSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, WireSchema>>;
  readonly required?: readonly string[];
  readonly items?: WireSchema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** One operation of openapi.json. */
export interface Operation {
  readonly id: string;
  readonly method: InjectedRequest['method'];
  readonly path: string;
  readonly family: 'lookup' | 'blocklist' | 'gates' | 'gates-v0';
  readonly parameters: readonly { readonly name: string; readonly in: 'path' | 'query'; readonly schema: WireSchema }[];
  readonly body: WireSchema | null;
  /** Schema of the body by status; null when there is no body. */
  readonly answers: ReadonlyMap<number, object | null>;
}

interface Content {
  readonly content?: { readonly 'application/json': { readonly schema: WireSchema } };
}
interface Documented {
  readonly operationId: string;
  readonly parameters: Operation['parameters'];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

/** Every operation the service documents. */
export function readOperations(): Operation[] {
  const file = new URL('../openapi.json', import.meta.url);
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, Documented>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) => ({
      id: documented.operationId,
      method: method.toUpperCase() as Operation['method'],
      path,
      family: familyOf(path),
      parameters: documented.parameters,
      body: schemaOf(documented.requestBody),
      answers: new Map(Object.entries(documented.responses).map(([status, body]) => [Number(status), schemaOf(body)])),
    })),
  );
}

const schemaOf = (body: Content | undefined): WireSchema | null => body?.content?.['application/json'].schema ?? null;

function familyOf(path: string): Operation['family'] {
  if (path.startsWith('/v1/')) return 'gates';
  if (path.startsWith('/v0/')) return 'gates-v0';
  return path.startsWith('/blocklist') ? 'blocklist' : 'lookup';
}
