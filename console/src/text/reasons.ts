/** Why a value is unknown, in words that end the sentence "Unknown: …". */
const reasons: Readonly<Record<string, string>> = {
  pending: 'the request is pending',
  timeout: 'no response in time',
  failed: 'the request failed',
  offline: 'the service runs offline',
  untrusted: 'the DNS server cannot be trusted here',
  no_data: 'nothing is published',
  not_applicable: 'it does not apply here',
  not_sent: 'it was not sent',
  not_recorded: 'the log does not store it',
  no_time: 'the time budget for patterns was used up',
};

/** A reason in words. */
export const reasonText = (reason: string | null | undefined): string =>
  reason ? (reasons[reason] ?? reason.replaceAll('_', ' ')) : 'no reason given';
