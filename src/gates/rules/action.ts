/** What a gate can answer. */
export const actions = ['allow', 'block', 'challenge'] as const;
export type Action = (typeof actions)[number];
