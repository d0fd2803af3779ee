/** A valid domain name, in the forms the rest of the service needs. Contract; see parseDomain. */
export interface Domain {
  /** Lower case, IDN labels in punycode, no trailing dot. The identity of the domain. */
  readonly ascii: string;
  /** The readable form; equal to `ascii` when nothing is internationalised. */
  readonly unicode: string;
  /** The public suffix, private section of the list included (`co.uk`, `github.io`). */
  readonly tld: string;
  /** The label before the public suffix; null when the name is itself a public suffix. */
  readonly sld: string | null;
  /** Everything before the registrable domain; null when there is none. */
  readonly subdomain: string | null;
  /** `sld.tld`; null when the name is itself a public suffix. */
  readonly registrable: string | null;
  /** The suffix comes from the private section of the public suffix list (a tenant of a hosting or dynamic DNS service). */
  readonly privateSuffix: boolean;
}
