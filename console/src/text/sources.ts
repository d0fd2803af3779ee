/** Sources whose own names say little. */
const names: Readonly<Record<string, string>> = {
  '@emailalias/disposable-email-detector': 'emailalias',
  'disposable-email-domains-js': 'disposable-email-domains',
  'data/relays.json': 'Signalpost’s relays',
  'data/disposable-brands.json': 'Signalpost’s disposable services',
  'data/disposable-domains.json': 'Signalpost’s disposable domains',
  'data/public-domains.json': 'Signalpost’s mail services',
  dns: 'its mail servers',
};

/** The name of a source for people. */
export const sourceName = (source: string): string =>
  names[source] ??
  source.replace(/^data\/(.+)\.json$/, (_, file: string) => `Signalpost’s ${file.replaceAll('-', ' ')}`);
