import type { EventType } from '../api/webhooks.ts';

/** Every event that a webhook can receive, in words. */
export const eventNames: Readonly<Record<EventType, string>> = {
  'domain.flagged.disposable': 'A domain seen here is flagged as disposable',
  'domain.flagged.relay': 'A domain seen here is flagged as a relay',
  'domain.flagged.spam': 'A domain seen here is flagged as spam',
  'credits.threshold': 'The account has used 80 % or all of its monthly credits',
  'gate.decision': 'A gate decides',
  'traffic.wave.began': 'A wave of sign-ups begins',
  'traffic.wave.ended': 'A wave of sign-ups ends',
};

/** All of them. */
export const eventTypes = Object.keys(eventNames) as EventType[];
