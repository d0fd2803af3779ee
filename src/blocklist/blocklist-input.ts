import { bodyObject } from '../http/body-parser.ts';
import type { Body, Call } from '../http/endpoint.ts';
import { validationError } from './refusals.ts';

const maxBulk = 1_000;
const defaultPerPage = 25;
const maxPerPage = 100;

/** The `domain` of a single add. A body that is no JSON object has no fields. */
export function domainField(body: Body): string {
  const domain = bodyObject(body)?.domain;
  if (domain === undefined || domain === null || domain === '') throw refused('domain', 'is required');
  if (typeof domain !== 'string') throw refused('domain', 'must be a string');
  return domain;
}

/** The `domains` of a bulk add: 1 to 1,000 values of any type. */
export function domainsField(body: Body): readonly unknown[] {
  const domains = bodyObject(body)?.domains;
  if (domains === undefined || domains === null || domains === '') throw refused('domains', 'is required');
  if (!Array.isArray(domains)) throw refused('domains', 'must be an array');
  if (domains.length === 0) throw refused('domains', 'is required');
  if (domains.length > maxBulk) throw refused('domains', `must not have more than ${maxBulk} items`);
  return domains;
}

const refused = (field: string, problem: string) => validationError({ [field]: [`The ${field} field ${problem}.`] });

/** Which page of the list is asked for. */
export interface PageQuery {
  readonly page: number;
  readonly perPage: number;
  /** `per_page` as it was sent, for the links to keep; null when it was not. */
  readonly sentPerPage: string | null;
}

/** Reads `page` and `per_page`; what makes no sense becomes the default, never an error. */
export function pageQuery(query: Call['query']): PageQuery {
  const page = integer(query.page);
  const perPage = integer(query.per_page);
  return {
    page: page === null || page < 1 ? 1 : Math.min(page, Number.MAX_SAFE_INTEGER),
    perPage: perPage === null ? defaultPerPage : Math.min(Math.max(perPage, 1), maxPerPage),
    sentPerPage: last(query.per_page) ?? null,
  };
}

function integer(value: Call['query'][string]): number | null {
  const text = last(value);
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : null;
}

/** Of a parameter that was sent more than once, the last counts. */
function last(value: Call['query'][string]): string | undefined {
  return typeof value === 'string' ? value : value?.at(-1);
}
