/** Kinds of custom lists, by their entries; the kind decides which fields a rule can compare with the list. */
export const listKinds = ['email', 'domain', 'ip', 'country', 'asn', 'text'] as const;
export type ListKind = (typeof listKinds)[number];
