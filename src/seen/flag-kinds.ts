/** What a domain can turn out to be that somebody who saw it before wants to know. */
export const flagKinds = ['disposable', 'relay', 'spam'] as const;
export type FlagKind = (typeof flagKinds)[number];

/** Several kinds in one number. */
export const flagBits = { disposable: 1, relay: 2, spam: 4 } as const satisfies Record<FlagKind, number>;
/** More than any number of kinds. */
export const flagBase = 8;
