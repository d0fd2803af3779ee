/** A source as people read it: a name where its own says little, and a description. */
interface Source {
  readonly name?: string;
  readonly about: string;
}

/** Every source of the lists, and every download. */
export const sources: Readonly<Record<string, Source>> = {
  'disposable-email-domains-js': {
    name: 'disposable-email-domains',
    about: 'Disposable domains, each reviewed by its maintainers. Decides alone.',
  },
  'disposable-email-domains': { about: 'Disposable domains, each reviewed by its maintainers. Decides alone.' },
  fakefilter: {
    about: 'Domains that disposable services offer right now, with the service behind each. Decides alone.',
  },
  'disposable-domains': { about: 'A large collection of disposable domains. Needs a second list to agree.' },
  mailchecker: { about: 'A collection of disposable domains. Needs a second list to agree.' },
  'burner-email-providers': {
    about: 'A collection of disposable domains, mostly copies of others. Counts only for names that it does not copy.',
  },
  '@emailalias/disposable-email-detector': {
    name: 'emailalias',
    about: 'Disposable domains gathered from the services themselves. Decides for names that no copied list has.',
  },
  'disposable-project': {
    about: 'Disposable domains gathered from the services themselves. Replaces emailalias when it is downloaded.',
  },
  'is-burner-email': { about: 'A large collection of disposable domains. Decides for names that no copied list has.' },
  'free-email-domains': {
    name: 'Castle',
    about: 'Domains that throwaway sign-ups used most, replaced daily; editions add up. Decides alone.',
  },
  castle: { name: 'Castle', about: 'The same list, downloaded daily. Adds to the names that are known already.' },
  'email-providers': { about: 'Mail services where anyone can open a mailbox.' },
  freemail: { about: 'Free mail services.' },
  'role-based-email-addresses': { about: 'Local parts of roles and teams, such as info and support.' },
  tlds: { about: 'The top-level domains that exist.' },
  tldts: { name: 'Public suffix list', about: 'Where a registrable domain begins.' },
  'data/disposable-brands.json': {
    name: 'Signalpost’s disposable services',
    about: 'Well-known disposable services and their domains. Decides alone.',
  },
  'data/disposable-domains.json': {
    name: 'Signalpost’s disposable domains',
    about: 'Disposable domains that the strong lists lack. Decides alone.',
  },
  'data/public-domains.json': {
    name: 'Signalpost’s mail services',
    about: 'Mail services that the packages lack, and their wrong entries.',
  },
  'data/relays.json': { name: 'Signalpost’s relays', about: 'Services that forward to a hidden mailbox.' },
  'data/allowlist.json': {
    name: 'Signalpost’s allowlist',
    about: 'Real mail domains that some lists name by mistake.',
  },
  'data/never-flag.json': {
    name: 'Signalpost’s protected names',
    about: 'Large services and companies that must never be flagged.',
  },
  'data/free-subdomains.json': {
    name: 'Signalpost’s free subdomains',
    about: 'Services that give away subdomains: dynamic DNS and hosting platforms.',
  },
  'data/tld-trust.json': { name: 'Signalpost’s TLD ratings', about: 'How strictly a suffix checks its registrants.' },
  'data/roles.json': { name: 'Signalpost’s role names', about: 'Role names in languages that the package lacks.' },
  'iana-rdap': { name: 'IANA RDAP servers', about: 'Which registry knows the age of a domain.' },
  'iana-tlds': { name: 'IANA top-level domains', about: 'The top-level domains that exist. Replaces tlds.' },
  tranco: { name: 'Tranco ranking', about: 'The most visited domains, for their authority.' },
  'tor-exits': { name: 'Tor exits', about: 'IP addresses of Tor exits.' },
  'icloud-relay': { name: 'iCloud Private Relay', about: 'IP addresses of Apple’s privacy relay.' },
  'vpn-networks': { name: 'VPN networks', about: 'Networks of VPN providers.' },
  'protonvpn-exits': { name: 'Proton VPN exits', about: 'IP addresses of Proton VPN.' },
  'nordvpn-servers': { name: 'NordVPN servers', about: 'IP addresses of NordVPN.' },
  'airvpn-servers': { name: 'AirVPN servers', about: 'IP addresses of AirVPN.' },
  'ivpn-servers': { name: 'IVPN servers', about: 'IP addresses of IVPN.' },
  'mullvad-servers': { name: 'Mullvad servers', about: 'IP addresses of Mullvad.' },
  'windscribe-servers': { name: 'Windscribe servers', about: 'IP addresses of Windscribe.' },
  'tunnelbear-servers': { name: 'TunnelBear servers', about: 'IP addresses of TunnelBear.' },
  'dbip-asn': { name: 'DB-IP networks', about: 'The network (AS number) of an IP address.' },
  'dbip-city': { name: 'DB-IP cities', about: 'The city of an IP address.' },
  'spamhaus-drop': { name: 'Spamhaus DROP', about: 'Networks run by criminals.' },
  operator: { name: 'the operator’s own entries', about: 'Entries that you added. They override every source.' },
  dns: { name: 'its mail servers', about: 'Mail servers of disposable services.' },
};

/** The name of a source for people. */
export const sourceName = (source: string): string =>
  sources[source]?.name ??
  source.replace(/^data\/(.+)\.json$/, (_, file: string) => `Signalpost’s ${file.replaceAll('-', ' ')}`);

/** The description of a source, in one line. */
export const sourceAbout = (source: string): string => sources[source]?.about ?? '';

/** The sources that name domains; the others are about local parts, suffixes or IP addresses. */
export const namingSources: readonly string[] = [
  'operator',
  'disposable-email-domains-js',
  'fakefilter',
  'disposable-domains',
  'mailchecker',
  'burner-email-providers',
  '@emailalias/disposable-email-detector',
  'is-burner-email',
  'free-email-domains',
  'email-providers',
  'freemail',
  'data/disposable-brands.json',
  'data/disposable-domains.json',
  'data/public-domains.json',
  'data/relays.json',
  'data/allowlist.json',
  'data/free-subdomains.json',
];
