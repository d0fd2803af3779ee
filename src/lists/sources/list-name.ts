import { parseDomain } from '../../address/domain.ts';

/** Plain ASCII names need no IDNA: nearly every line of the lists. `xn--` labels are validated. */
const plain = /^(?!.*xn--)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The form of a name in a list: lower case, ASCII, no trailing dot; null when it is not a domain name. */
export function listName(text: string): string | null {
  if (text.length <= 253 && plain.test(text)) return text;
  return parseDomain(text.trim(), { trailingDot: true })?.ascii ?? null;
}
