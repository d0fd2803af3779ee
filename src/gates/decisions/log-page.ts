import { field, listOf, nested, optional, wireOf } from '../../http/answers/wire-fields.ts';
import type { Wire } from '../../http/answers/wire-object.ts';
import type { Page } from '../../http/page.ts';
import { schema } from '../../input/schema.ts';
import type { ListEntries, LogFilter, LoggedRow } from './decisions-store.ts';

/** A page of the log. */
export interface LogPage<T> extends Page<T> {
  /** Damaged parts of the log, which may hold more entries of the page, were skipped. */
  readonly isMissing: boolean;
}

/** A page of the log; it says so if entries may be missing. */
export function logPageOf<T>(item: Wire<T>): Wire<LogPage<T>> {
  return wireOf<LogPage<T>>({
    data: nested(listOf(item), ({ data }) => data),
    'meta.next_cursor': field(schema.nullable(schema.string()), ({ meta }) => meta.next_cursor),
    'meta.entries_missing': optional(
      field(
        schema.boolean({
          description: 'True if a damaged part of the log was skipped, which may hold more entries; otherwise absent',
        }),
        ({ isMissing }) => (isMissing ? true : undefined),
      ),
    ),
  });
}

/** Lists entries, and notes whether some may be missing. */
export async function listNoting(
  list: ListEntries,
  gateIds: readonly string[],
  filter: LogFilter,
  limit: number,
): Promise<{ readonly rows: LoggedRow[]; readonly isMissing: boolean }> {
  let isMissing = false;
  const rows = await list(gateIds, filter, limit, () => {
    isMissing = true;
  });
  return { rows, isMissing };
}
