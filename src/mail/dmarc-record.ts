export type DmarcPolicy = 'none' | 'quarantine' | 'reject';

/** A DMARC Policy Record, as far as policy discovery needs it. */
export interface DmarcRecord {
  readonly psd: 'y' | 'n' | 'u';
  /** Null when the record has no usable policy and asks for no reports: it does not count (RFC 9989 section 4.10.1). */
  readonly policy: DmarcPolicies | null;
}

/** The policies for the domain itself, for its subdomains, and for subdomains that do not exist. */
export interface DmarcPolicies {
  readonly p: DmarcPolicy;
  readonly sp: DmarcPolicy;
  readonly np: DmarcPolicy;
}

// RFC 9989 section 4.8: the version comes first, its value is case-sensitive, blanks only around `=` and before `;`.
const version = /^[vV][ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/;
// RFC 9989 section 4.8, dmarc-uri: an RFC 3986 URI in which commas and exclamation marks are encoded.
const reportingUri = /^[a-z][a-z0-9+.-]*:(?:[a-z0-9\-._~:/?#[\]@$&'()*+;=]|%[0-9a-f]{2})*$/i;
const obsoleteReportSize = /!\d+[kmgt]?$/i;

/** Whether a TXT record is a DMARC Policy Record of the current version; any other is ignored (RFC 9989 section 4.7). */
export function isDmarcRecord(text: string): boolean {
  return version.test(text);
}

/** Reads a DMARC Policy Record; null when a tag occurs twice, which spoils the tag list (RFC 6376 section 3.2). */
export function parseDmarc(text: string): DmarcRecord | null {
  const tags = new Map([['v', 'DMARC1']]);
  for (const part of text.split(';').slice(1)) {
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(equals, 0)).trim();
    const value = part.slice(equals + 1).trim();
    // Section 4.8: anything but a tag is ignored. Tag names are case-sensitive (RFC 6376 section 3.2).
    if (!/^[a-z]+$/i.test(name)) continue;
    if (tags.has(name)) return null;
    tags.set(name, value);
  }
  const psd = tags.get('psd')?.toLowerCase();
  return { psd: psd === 'y' || psd === 'n' ? psd : 'u', policy: policiesOf(tags) };
}

/**
 * RFC 9989 section 4.10.1: without a valid `p`, or with an invalid `sp` or `np`, the record acts as `p=none` when it asks
 * for reports, and not at all otherwise.
 */
function policiesOf(tags: ReadonlyMap<string, string>): DmarcPolicies | null {
  const p = policyOf(tags.get('p'));
  const sp = tags.has('sp') ? policyOf(tags.get('sp')) : p;
  const np = tags.has('np') ? policyOf(tags.get('np')) : sp;
  if (p !== null && sp !== null && np !== null) return { p, sp, np };
  return asksForReports(tags.get('rua')) ? { p: 'none', sp: 'none', np: 'none' } : null;
}

/** The policy words are ABNF literals, so their case does not matter (RFC 5234 section 2.3). */
function policyOf(value: string | undefined): DmarcPolicy | null {
  const word = value?.toLowerCase();
  return word === 'none' || word === 'quarantine' || word === 'reject' ? word : null;
}

function asksForReports(rua: string | undefined): boolean {
  return rua?.split(',').some((uri) => reportingUri.test(uri.trim().replace(obsoleteReportSize, ''))) ?? false;
}
