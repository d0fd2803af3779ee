import { parseDomain } from '../address/domain.ts';
import { parseIp } from '../address/ip.ts';
import { errorTable } from '../errors.ts';

/** What is wrong with a line that was meant to be a domain; the first that applies is told. */
const problems: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'There is no domain on this line.'],
  [/^[a-z][a-z0-9+.-]*:\/\//i, 'A scheme (https://) is no part of a domain.'],
  [/@/, 'This is an email address; only the domain behind the @ can be listed.'],
  [/[/?#]/, 'A path is no part of a domain.'],
  [/^\*\.|\*/, 'A star means nothing here: each domain is listed by its own name.'],
  [/:\d*$/, 'A port is no part of a domain.'],
  [/\s/, 'There is a blank in it.'],
  [/[,;]/, 'One domain a line, without commas.'],
  [/_/, 'An underscore is in no domain name.'],
  [/\.\.|^\./, 'There is a dot too many.'],
  [/^[^.]+$/, 'A domain has a dot in it.'],
];

/** Why a text is no domain. */
export function domainProblem(text: string): string {
  if (parseIp(text) !== null) return 'An IP address is no domain.';
  const [, problem] = problems.find(([pattern]) => pattern.test(text)) ?? [];
  if (problem !== undefined) return problem;
  if (text.split('.').some((label) => label.startsWith('-') || label.endsWith('-')))
    return 'A part of a domain neither begins nor ends with a hyphen.';
  return text.length > 253 || parseDomain(`x.${text}`.slice(0, 320)) !== null
    ? 'The domain is too long.'
    : errorTable.invalid_domain.message;
}
