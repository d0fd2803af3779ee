const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** A browser and its system, from its user agent: enough to tell a user's own sessions apart. */
export function browserName(agent: string | null): string {
  if (agent === null || agent === '') return 'unknown browser';
  const nameIn = (names: readonly (readonly [string, string])[]) => names.find(([mark]) => agent.includes(mark))?.[1];
  const browser = nameIn(browsers);
  const system = nameIn(systems);
  if (!browser && !system) return agent.slice(0, 40);
  return [browser ?? 'Browser', system && `on ${system}`].filter(Boolean).join(' ');
}
