import { Flag, singleFlagLists, trustMask, trustShift, Verdict, verdictTrustShift } from './flags.ts';

/**
 * The answers over a name from the flags of the snapshot and of the operator's own entries. The operator wins: their
 * `allow` over everything, their `disposable` over our relays and allowlist. Of ours: a relay is never disposable; a
 * strong source beats our allowlist but for the names that overrule it; weak votes lose to the allowlist and to known public providers.
 */
export function verdict(lists: number, operator: number): number {
  const operatorDisposable = (operator & Flag.strong) !== 0 && (operator & (Flag.allow | Flag.relay)) === 0;
  const relay = (operator & Flag.relay) !== 0 || ((lists & Flag.relay) !== 0 && !operatorDisposable);
  const disposable =
    operatorDisposable || (!relay && (operator & Flag.allow) === 0 && isListedDisposable(lists, operator));
  let bits = ((lists & trustMask) >>> trustShift) << verdictTrustShift;
  if (disposable) bits |= Verdict.disposable;
  if (relay) bits |= Verdict.relay;
  if ((operator & Flag.public) !== 0 || ((lists & Flag.public) !== 0 && !disposable)) bits |= Verdict.public;
  for (const { flag, verdict } of singleFlagLists) if ((lists & flag) !== 0) bits |= verdict;
  if (((lists | operator) & Flag.spam) !== 0 && (operator & Flag.allow) === 0) bits |= Verdict.spam;
  if (((lists & Flag.known) | (operator & ~Flag.split)) !== 0) bits |= Verdict.known;
  if (((lists & trustedFlags) | (operator & (Flag.allow | Flag.public | Flag.relay))) !== 0) bits |= Verdict.trusted;
  if ((operator & Flag.allow) !== 0) bits |= Verdict.allowed;
  return bits;
}

const trustedFlags = Flag.relay | Flag.public | Flag.known | Flag.trusted | Flag.allow | Flag.overrule;

function isListedDisposable(lists: number, operator: number): boolean {
  if ((lists & Flag.overrule) !== 0) return false;
  if ((lists & Flag.strong) !== 0) return true;
  if ((lists & Flag.weak) === 0) return false;
  return ((lists & (Flag.allow | Flag.trusted)) | (operator & Flag.public)) === 0;
}
