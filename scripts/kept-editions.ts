/** Editions of a rolling list that are kept besides the newest: eight weeks of names. */
const maxOlder = 8;

/** The name under which the pinned edition of a rolling list is kept, as npm installs it, and the older editions that make room. */
export function keptEditions(
  name: string,
  pins: Readonly<Record<string, string>>,
): { readonly kept: string; readonly dropped: readonly string[] } {
  const older = Object.keys(pins)
    .filter((each) => each.startsWith(`${name}-v`))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  return {
    kept: `${name}-v${pins[name]}@npm:${name}@${pins[name]}`,
    dropped: older.slice(0, Math.max(0, older.length + 1 - maxOlder)),
  };
}
