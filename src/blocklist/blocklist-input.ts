import { anything, type Input, into } from '../input/input.ts';
import { list } from '../input/list.ts';
import { object, optional } from '../input/object.ts';
import { lenient, query } from '../input/parameter.ts';
import { type Limit, text } from '../input/scalar.ts';
import { schema } from '../input/schema.ts';

const maxBulk = 1_000;
const defaultPerPage = 25;
const maxPerPage = 100;

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

/** The `domain` of a single add. */
export const domainInput: Input<string> = into(
  object({ domain: text('The domain field') }, { unknownFields: 'ignored', isAbsent: isBlank }),
  ({ domain }) => domain,
);

const notTooMany: Limit<readonly unknown[]> = {
  schema: { maxItems: maxBulk },
  holds: ({ length }) => length <= maxBulk,
  problem: (label) => `${label} must not have more than ${maxBulk} items.`,
};

const isEmpty = (value: unknown): boolean => isBlank(value) || (Array.isArray(value) && value.length === 0);

const bulkList: Input<readonly unknown[]> = list('The domains field', anything, {
  expected: 'an array',
  limits: [notTooMany],
});

/** The `domains` of a bulk add: values of any type, because each invalid value gets its own error in the response. */
export const domainsInput: Input<readonly unknown[]> = into(
  object(
    { domains: { ...bulkList, schema: schema.array(schema.string(), { minItems: 1, maxItems: maxBulk }) } },
    { unknownFields: 'ignored', isAbsent: isEmpty },
  ),
  ({ domains }) => domains,
);

/** The requested page of the list. */
export interface PageQuery {
  readonly page: number;
  readonly perPage: number;
  /** `per_page` as sent, which the links repeat; null if the client did not send it. */
  readonly sentPerPage: string | null;
}

/** `page` and `per_page`; an invalid value becomes the default, never an error. */
export const pageQuery: Input<PageQuery> = into(
  query({
    page: optional(lenient(schema.integer({ minimum: 1, default: 1 }), last)),
    per_page: optional(lenient(schema.integer({ default: defaultPerPage, description: 'Clamped to 1 to 100' }), last)),
  }),
  (sent) => {
    const page = integerIn(sent.page);
    const perPage = integerIn(sent.per_page);
    return {
      page: page === null || page < 1 ? 1 : Math.min(page, Number.MAX_SAFE_INTEGER),
      perPage: perPage === null ? defaultPerPage : Math.min(Math.max(perPage, 1), maxPerPage),
      sentPerPage: sent.per_page ?? null,
    };
  },
);

function integerIn(text: string | undefined): number | null {
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : null;
}

/** If a parameter is sent more than once, the last value counts. */
function last(sent: string | readonly string[]): string {
  return typeof sent === 'string' ? sent : (sent.at(-1) ?? '');
}
