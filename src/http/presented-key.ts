/** The key in an `Authorization` header: `Bearer KEY` in any case, or the bare key. Null when there is none. */
export function keyInHeader(header: string | undefined): string | null {
  if (header === undefined) return null;
  const value = header.trim();
  if (value.length >= 6 && value.slice(0, 6).toLowerCase() === 'bearer') {
    if (value.length === 6) return null;
    if (value.charCodeAt(6) === 32) return value.slice(7).trim();
  }
  return value === '' ? null : value;
}
