/** The separators that files use; a comma is the usual one. */
export const separators = [',', ';', '\t', '|'] as const;

/** Characters, also in full width, with which a spreadsheet begins a formula, behind any number of apostrophes. */
const formula = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/** Cells that another program would split, trim or end too early. */
const needsQuotes = /["\r\n,;\t|]|^\s|\s$/;

/** A line of CSV with its line end; `readCell` returns exactly the text of each cell. */
export function csvLine(values: readonly unknown[], end = '\n'): string {
  return values.map((value) => csvCell(value)).join(',') + end;
}

/** A value as a cell. A spreadsheet shows a text behind an apostrophe and does not run it as a formula. */
export function csvCell(value: unknown, separator = ','): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = formula.test(text) ? `'${text}` : text;
  return needsQuotes.test(safe) || safe.includes(separator) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A cell without its quotes. */
export function unquoted(cell: string): string {
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

/** The text of a cell: without its quotes and the apostrophe before a formula. Blanks count inside quotes only. */
export function readCell(cell: string): string {
  const text = cell.startsWith('"') ? unquoted(cell) : cell.trim();
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
}
