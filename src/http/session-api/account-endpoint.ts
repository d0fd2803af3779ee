/** The properties that endpoints of signed-in users share when they belong to no environment. */
export const accountEndpoint = {
  access: 'session',
  family: 'gates',
  plan: 'any',
  credits: 0,
  errors: [],
  // A list refresh may take minutes: the account's other requests must not wait for it.
  load: 'parallel',
} as const;
