import type { DomainSignals, EmailSignals } from '@signalpost/client';
import type { ReadingTone, ReadLine } from './readings.ts';
import { spanOfDays } from './times.ts';

/** The recommendation for a subject, in one sentence. */
export interface Verdict {
  readonly tone: ReadingTone;
  readonly sentence: string;
}

type Signals = DomainSignals & Partial<EmailSignals>;

/** The first case that applies decides: reasons to reject first, then reasons to ask or verify, then an unknown. */
export function verdictOf(answer: DomainSignals | EmailSignals, lines: readonly ReadLine[]): Verdict {
  const signals: Signals = answer;
  const age = signals.domain_age_in_days;
  const isKnown = (signal: string) => lines.find((line) => line.signal === signal)?.tone !== 'unknown';
  const cases: readonly (readonly [boolean | null | undefined, ReadingTone, string])[] = [
    [signals.blocklisted, 'block', 'Reject it: the domain is on your blocklist.'],
    [signals.disposable, 'block', 'Reject it: the address is disposable, so its owner will not read your mail.'],
    [signals.spam, 'block', 'Reject it: the domain is known for spam or abuse.'],
    [signals.mx === false, 'block', 'Reject it: the domain cannot receive mail.'],
    [signals.did_you_mean !== null, 'challenge', `Ask whether they meant ${signals.did_you_mean}.`],
    [
      typeof age === 'number' && age < 14,
      'challenge',
      `Verify it: the domain was registered ${spanOfDays(age ?? 0)} ago.`,
    ],
    [
      signals.relay_domain,
      'challenge',
      'Accept it, but it may stop working: the address forwards to a hidden mailbox.',
    ],
    [signals.free_subdomain, 'challenge', 'Verify it: anyone can get a name at this service for free.'],
    [
      signals.role_account,
      'challenge',
      'Accept it for an organisation: the address belongs to a role, not to a person.',
    ],
    [!isKnown('mx'), 'unknown', 'Accept it for now: whether the domain receives mail is unknown.'],
  ];
  const found = cases.find(([applies]) => applies === true);
  return found
    ? { tone: found[1], sentence: found[2] }
    : { tone: 'allow', sentence: 'Accept it: no signal speaks against it.' };
}
