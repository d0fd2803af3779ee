interface Entry {
  readonly id: string;
  readonly created_at: string;
  readonly gate: { readonly name: string };
  readonly input: { readonly email?: string; readonly domain?: string; readonly ip?: string | null };
  readonly action: string;
  readonly matched_rule: { readonly name: string } | null;
}

const header = 'id,created_at,gate,subject,ip,action,rule';

/** Log entries as CSV (RFC 4180). A text that a spreadsheet would run as a formula is quoted with an apostrophe. */
export function logCsv(entries: readonly Entry[]): string {
  const rows = entries.map(({ id, created_at, gate, input, action, matched_rule }) =>
    [id, created_at, gate.name, input.email ?? input.domain ?? '', input.ip ?? '', action, matched_rule?.name ?? '']
      .map(cell)
      .join(','),
  );
  return [header, ...rows, ''].join('\r\n');
}

function cell(text: string): string {
  const safe = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
