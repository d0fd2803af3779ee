import { csvLine } from '../../../../csv/csv-line.ts';

interface Listed {
  readonly domain: string;
  readonly reason?: string | null;
}

/** Domains with their reasons, as the import reads them. */
export const blocklistCsv = (entries: readonly Listed[]): string =>
  [['domain', 'reason'], ...entries.map(({ domain, reason }) => [domain, reason])]
    .map((row) => csvLine(row, '\r\n'))
    .join('');
