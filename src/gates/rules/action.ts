/** The possible answers of a gate. */
export const actions = ['allow', 'block', 'challenge'] as const;
export type Action = (typeof actions)[number];
