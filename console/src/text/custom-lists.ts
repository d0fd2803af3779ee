/** What the entries of each kind of custom list are. */
export const kindNames = {
  email: 'Email addresses',
  domain: 'Domains',
  ip: 'IP addresses and networks',
  country: 'Countries',
  asn: 'AS numbers',
  text: 'Texts',
} as const;

export type ListKind = keyof typeof kindNames;

/** One entry of each kind, as a placeholder. */
export const sampleValues: Readonly<Record<ListKind, string>> = {
  email: 'jane@example.com',
  domain: 'example.com',
  ip: '203.0.113.0/24',
  country: 'DE',
  asn: 'AS15169',
  text: 'any text',
};

interface PastedEntry {
  value: string;
  note?: string;
  expires_at?: string;
}

/** The entries of pasted text: one value per line, or CSV whose first line names a column `value`. */
export function pastedEntries(text: string): PastedEntry[] {
  const rows = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const names = cellsOf(rows[0] ?? '').map((name) => name.toLowerCase());
  if (!names.includes('value')) return rows.map((value) => ({ value }));
  return rows.slice(1).map((row) => {
    const cells = cellsOf(row);
    const cell = (name: string) => cells[names.indexOf(name)] ?? '';
    const [note, expires_at] = [cell('note'), cell('expires_at')];
    return { value: cell('value'), ...(note && { note }), ...(expires_at && { expires_at }) };
  });
}

function cellsOf(line: string): string[] {
  return [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(),
  );
}

/** Entries as CSV, which an import reads. A text that a spreadsheet would take for a formula gets an apostrophe. */
export function entriesCsv(
  entries: readonly { value: string; note: string | null; expires_at: string | null; created_at: string }[],
): string {
  const cell = (text: string | null) => {
    const safe = /^[=+\-@\t\r]/.test(text ?? '') ? `'${text}` : (text ?? '');
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const rows = entries.map(({ value, note, expires_at, created_at }) => [value, note, expires_at, created_at]);
  return `${[['value', 'note', 'expires_at', 'created_at'], ...rows].map((row) => row.map(cell).join(',')).join('\n')}\n`;
}
