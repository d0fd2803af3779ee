/** The sentences that lookups and the blocklist send in place of a code; "Too many requests" may mean either 429. */
const codesOfSentences: Readonly<Record<string, string>> = {
  Unauthorized: 'unauthorized',
  'API key is required': 'unauthorized',
  'Invalid API key': 'unauthorized',
  'This feature requires a Pro account': 'pro_only',
  'Domain not found in blocklist': 'domain_not_listed',
  'The domain is invalid.': 'invalid_domain',
  'The email address is invalid.': 'invalid_email',
  'The domain has already been blocklisted for this environment.': 'already_blocklisted',
};

/** The sentence about a full blocklist names the limit of the plan. */
const fullList = /^The blocklist is full: /;

/** The code of an error's body: its `error` where that is one, else what its sentence stands for, else null. */
export function errorCode(body: Readonly<Record<string, unknown>> | null): string | null {
  const { error, message } = body ?? {};
  if (typeof error === 'string' && /^[a-z][a-z0-9_]*$/.test(error)) return error;
  if (typeof message === 'string' && fullList.test(message)) return 'blocklist_full';
  const sentence = [error, message].find((text) => typeof text === 'string' && Object.hasOwn(codesOfSentences, text));
  return codesOfSentences[String(sentence)] ?? null;
}
