import { type Input, into } from '../input/input.ts';
import { optional } from '../input/object.ts';
import { lenient, query } from '../input/parameter.ts';
import { schema } from '../input/schema.ts';

/** What a lookup is asked besides its subject. */
export interface LookupQuery {
  readonly includeMx: boolean;
  /** Hold the answer for these slow facts. */
  readonly wait: ReadonlySet<string>;
  readonly explain: boolean;
}

/** `true`, `false`, `1`, `0` in any case; anything else means the default. */
function flag(standard: boolean, description: string): Input<boolean> {
  return lenient(schema.boolean({ default: standard, description }), (sent) => {
    const text = typeof sent === 'string' ? sent.toLowerCase() : '';
    if (text === 'true' || text === '1') return true;
    return text === 'false' || text === '0' ? false : standard;
  });
}

const names = lenient(
  schema.string({
    description:
      'Comma-separated: domain_age_in_days, domain_authority. Delays the response until they are resolved (Pro)',
  }),
  (sent): ReadonlySet<string> =>
    new Set(
      String(sent)
        .split(',')
        .map((name) => name.trim()),
    ),
);

const nothing: ReadonlySet<string> = new Set();

/** The query of a lookup: what makes no sense counts as not sent, never as an error. */
export const lookupQuery: Input<LookupQuery> = into(
  query({
    include_mx: optional(flag(true, 'False skips the MX query and omits mx and mx_records')),
    wait: optional(names),
    explain: optional(flag(false, 'Adds the reasons behind each signal (Pro)')),
  }),
  ({ include_mx = true, wait = nothing, explain = false }) => ({ includeMx: include_mx, wait, explain }),
);
