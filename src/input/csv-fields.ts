/** The fields of one line of CSV (RFC 4180, without line breaks inside quotes). */
export function csvFields(line: string): string[] {
  // With a leading comma, every field starts with a comma.
  return [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );
}
