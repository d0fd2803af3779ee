import { isLying, type TrustChange } from './dns-trust.ts';

/** The log line for a server that starts or stops lying: what is wrong, the effect, what to set. */
export function describeTrustChange({ server, to }: TrustChange, mustExist: readonly string[]): string {
  if (!isLying(to)) return `the DNS server ${server} proved itself: its answers are trusted again`;
  const [fault, result] =
    to === 'denying'
      ? [
          `denies names that must exist (${mustExist.join(', ')})`,
          'its denials are not trusted, and their signals are null',
        ]
      : ['answers for names that do not exist', 'none of its answers are trusted, and signals that need them are null'];
  return (
    `the DNS server ${server} ${fault}: ${result}. Set DNS_SERVERS to a resolver that reaches the internet, or OFFLINE=true ` +
    'to query none; DNS_PROBE=off, or names that exist here, if this network has its own DNS root'
  );
}
