/** Why something is not known, in words that end the sentence "Not known: …". */
const reasons: Readonly<Record<string, string>> = {
  pending: 'it is being asked',
  timeout: 'no answer came in time',
  failed: 'the question failed',
  offline: 'the service runs offline',
  untrusted: 'the DNS server is known to lie about this',
  no_data: 'nothing is published',
  not_applicable: 'it does not apply here',
  not_sent: 'it was not sent',
  not_recorded: 'the log does not keep it',
  no_time: 'the time for patterns was used up',
};

/** A reason of the service as words. */
export const reasonText = (reason: string | null | undefined): string =>
  reason ? (reasons[reason] ?? reason.replaceAll('_', ' ')) : 'nobody could say';
