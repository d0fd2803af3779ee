/** The day of an edition, and where the date comes from. */
export interface Edition {
  /** ISO 8601. */
  readonly date: string;
  /** `download`: the publisher does not say, so it is the time of the download. */
  readonly from: 'file' | 'server' | 'download';
}

/** The date inside a file counts, else `madeAt`, the past time its server gives, else the time of the download. */
export function editionOf(inside: string | null, madeAt: string | null, nowMs: number): Edition {
  const ofFile = pastTime(inside, nowMs);
  if (ofFile !== null) return { date: ofFile, from: 'file' };
  if (madeAt !== null) return { date: madeAt, from: 'server' };
  return { date: new Date(nowMs).toISOString(), from: 'download' };
}

/** A time that a publisher gives as ISO 8601; null for none, and for one that is yet to come. */
export function pastTime(text: string | null, nowMs: number): string | null {
  const ms = text === null ? Number.NaN : Date.parse(text);
  return ms <= nowMs ? new Date(ms).toISOString() : null;
}

/** The day in the first line of IANA's file of TLDs: `# Version 2026111500, Last Updated …`. */
export function dateOfTlds(text: string): string | null {
  const [, year, month, day] = /^# Version (\d{4})(\d{2})(\d{2})/.exec(text) ?? [];
  return year === undefined ? null : `${year}-${month}-${day}T00:00:00Z`;
}

/** When IANA published the registry of RDAP servers, as the document says. */
export function dateOfRdap(bytes: Buffer): string | null {
  const { publication }: { publication?: unknown } = JSON.parse(bytes.toString('utf8'));
  return typeof publication === 'string' ? publication : null;
}
