/** The kinds of pasted text that the console can look up, find or open. */
export type SubjectKind = 'email' | 'domain' | 'ip' | 'decision';

const decisionId = /^[0-9A-HJKMNP-TV-Z]{26}$/i;
const ipv4 = /^\d{1,3}(\.\d{1,3}){3}$/;
const ipv6 = /^(?=.*:.*:)[0-9a-f:.]+$/i;
const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const domain = /^[^\s@/:.]+(\.[^\s@/:.]+)+$/;

/** The kind of a text, or null; the server validates it. */
export function kindOfSubject(text: string): SubjectKind | null {
  if (decisionId.test(text)) return 'decision';
  if (ipv4.test(text) || ipv6.test(text)) return 'ip';
  if (email.test(text)) return 'email';
  return domain.test(text) ? 'domain' : null;
}
