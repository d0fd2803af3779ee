import { csv } from '../../text/csv.ts';

interface Listed {
  readonly domain: string;
  readonly reason?: string | null;
}

/** Domains with their reasons, as the import reads them. */
export const blocklistCsv = (entries: readonly Listed[]): string =>
  csv([['domain', 'reason'], ...entries.map(({ domain, reason }) => [domain, reason ?? ''])]);
