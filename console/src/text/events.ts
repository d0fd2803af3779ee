import type { EventType } from '../api/webhooks.ts';

/** Every event that a webhook can be told of, in words. */
export const eventNames: Readonly<Record<EventType, string>> = {
  'domain.flagged.disposable': 'A domain that was seen here turned out to be disposable',
  'domain.flagged.relay': 'A domain that was seen here turned out to be a relay',
  'domain.flagged.spam': 'A domain that was seen here turned out to be known for spam',
  'credits.threshold': '80 % or all of the credits of the month are used',
  'gate.decision': 'A gate has decided',
};

/** All of them. */
export const eventTypes = Object.keys(eventNames) as EventType[];
