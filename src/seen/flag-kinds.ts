/** The flags of a domain that environments which saw it before are notified of. */
export const flagKinds = ['disposable', 'relay', 'spam'] as const;
export type FlagKind = (typeof flagKinds)[number];

/** Flags as bits of one number. */
export const flagBits = { disposable: 1, relay: 2, spam: 4 } as const satisfies Record<FlagKind, number>;
