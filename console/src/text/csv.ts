/** Rows as CSV (RFC 4180). A text that a spreadsheet would run as a formula is quoted with an apostrophe. */
export const csv = (rows: readonly (readonly string[])[]): string =>
  [...rows.map((row) => row.map(cell).join(',')), ''].join('\r\n');

function cell(text: string): string {
  const safe = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
