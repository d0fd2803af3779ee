import { parseDomain } from '../address/domain.ts';
import { parseIp } from '../address/ip.ts';
import { errorTable } from '../errors.ts';

/** Patterns of invalid domains and their error texts; the first match applies. */
const problems: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'There is no domain on this line.'],
  [/^[a-z][a-z0-9+.-]*:\/\//i, 'A scheme (https://) is no part of a domain.'],
  [/@/, 'This is an email address; list only the domain after the @.'],
  [/[/?#]/, 'A path is no part of a domain.'],
  [/^\*\.|\*/, 'A star is not supported: list each domain by its own name.'],
  [/:\d*$/, 'A port is no part of a domain.'],
  [/\s/, 'There is a blank in it.'],
  [/[,;]/, 'Write one domain per line, without commas.'],
  [/_/, 'A domain must not contain an underscore.'],
  [/\.\.|^\./, 'There is a dot too many.'],
  [/^[^.]+$/, 'A domain has a dot: for example, example.com.'],
];

/** Explains why a text is not a valid domain. */
export function domainProblem(text: string): string {
  if (parseIp(text) !== null) return 'An IP address is no domain.';
  const [, problem] = problems.find(([pattern]) => pattern.test(text)) ?? [];
  if (problem !== undefined) return problem;
  if (text.split('.').some((label) => label.startsWith('-') || label.endsWith('-')))
    return 'No part of a domain may start or end with a hyphen.';
  return text.length > 253 || parseDomain(`x.${text}`.slice(0, 320)) !== null
    ? 'The domain is too long.'
    : errorTable.invalid_domain.message;
}
