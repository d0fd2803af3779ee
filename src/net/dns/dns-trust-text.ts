import { isLying, type TrustChange } from './dns-trust.ts';

/** What an operator is told when a server turns out to lie, or to be honest: what is wrong, what follows, what to set. */
export function describeTrustChange({ server, to }: TrustChange, mustExist: readonly string[]): string {
  if (!isLying(to)) return `the DNS server ${server} proved itself: what it says is believed`;
  const [fault, result] =
    to === 'denying'
      ? [`denies names that must exist (${mustExist.join(', ')})`, 'what it denies is not believed and is null']
      : ['answers for names that do not exist', 'nothing it says is believed, and what only it can tell is null'];
  return (
    `the DNS server ${server} ${fault}: ${result}. Set DNS_SERVERS to a resolver that reaches the internet, or OFFLINE=true ` +
    'to ask none; DNS_PROBE=off, or names that exist here, if this network has a root of its own'
  );
}
