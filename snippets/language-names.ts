/** The names of the languages that samples exist in, without their code. */
export const languageNames = ['curl', 'TypeScript', 'Python', 'PHP', 'Ruby', 'Go', 'Java'] as const;
