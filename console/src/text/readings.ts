import type { DomainSignals, EmailSignals } from '@signalpost/client';
import { type Evidence, type Explanation, evidenceText, explanationOf, joined, sourcesOf } from './evidence.ts';
import { counted } from './numbers.ts';
import { reasonText } from './reasons.ts';
import { spanOfDays } from './times.ts';

/** The tone of a reading: bad, suspicious, good, neutral or unknown. */
export type ReadingTone = 'block' | 'challenge' | 'allow' | 'plain' | 'unknown';

/** The groups of evidence, in the order of a page. */
export const groups = ['Mail', 'Reputation', 'Identity', 'Your own data'] as const;
/** One of them. */
export type Group = (typeof groups)[number];

const groupOf: Readonly<Record<string, Group>> = {
  mx: 'Mail',
  spf: 'Mail',
  dmarc: 'Mail',
  role_account: 'Identity',
  normalized_email: 'Identity',
  blocklisted: 'Your own data',
};

/** A signal in words: a question, a sentence, a tone and the reasons. */
export interface ReadLine {
  readonly signal: string;
  readonly question: string;
  readonly group: Group;
  readonly tone: ReadingTone;
  readonly sentence: string;
  readonly why: readonly string[];
  /** The value is being fetched; a later request has it. */
  readonly isPending: boolean;
}

type Signals = DomainSignals & Partial<EmailSignals>;
type Judged = readonly [ReadingTone, string];

interface Reader {
  readonly signal: keyof Signals;
  readonly question: string;
  readonly judge: (signals: Signals, explanation: Explanation | undefined) => Judged;
}

const named = (explanation: Explanation | undefined) => {
  const sources = sourcesOf(explanation);
  if (sources.length === 0) return '';
  return sources.length <= 2 ? `: listed by ${joined(sources)}` : `, on ${counted(sources.length, 'list')}`;
};

/** One or two lists by name, more by their number: the reasons name them all. */
const listsText = (sources: readonly string[]): string =>
  sources.length <= 2 ? joined(sources) : counted(sources.length, 'list');

const theyList = (sources: readonly string[]) => `${listsText(sources)} ${sources.length === 1 ? 'lists' : 'list'} it`;

const yesNo = (isSo: boolean | undefined, yes: Judged, no: Judged): Judged => (isSo ? yes : no);

/** In the order of their importance to a reader. */
const readers: readonly Reader[] = [
  { signal: 'mx', question: 'Can it receive mail?', judge: mail },
  { signal: 'disposable', question: 'Disposable?', judge: disposable },
  {
    signal: 'blocklisted',
    question: 'On your blocklist?',
    judge: ({ blocklisted }) => yesNo(blocklisted, ['block', 'Yes'], ['allow', 'No']),
  },
  {
    signal: 'spam',
    question: 'Known for spam?',
    judge: ({ spam }, why) => yesNo(spam, ['block', `Yes${named(why)}`], ['allow', 'No source lists it']),
  },
  { signal: 'domain_age_in_days', question: 'Age', judge: ({ domain_age_in_days: days }) => age(days ?? 0) },
  {
    signal: 'public_domain',
    question: 'Public mail service?',
    judge: publicMail,
  },
  {
    signal: 'relay_domain',
    question: 'Relay?',
    judge: ({ relay_domain }) =>
      yesNo(relay_domain, ['challenge', 'Yes, it forwards to a hidden mailbox'], ['plain', 'No']),
  },
  {
    signal: 'free_subdomain',
    question: 'Free subdomain?',
    judge: ({ free_subdomain }) =>
      yesNo(free_subdomain, ['challenge', 'Yes, anyone can get one for free'], ['plain', 'No']),
  },
  {
    signal: 'role_account',
    question: 'Role account?',
    judge: ({ role_account }) =>
      yesNo(role_account, ['challenge', 'Yes, it belongs to a role or a team'], ['plain', 'No']),
  },
  {
    signal: 'normalized_email',
    question: 'Same mailbox as',
    judge: ({ normalized_email = '' }) => ['plain', normalized_email],
  },
  { signal: 'spf', question: 'SPF', judge: ({ spf }) => policy(spf ?? '') },
  { signal: 'dmarc', question: 'DMARC', judge: ({ dmarc }) => policy(dmarc ?? '') },
  {
    signal: 'domain_authority',
    question: 'How established?',
    judge: ({ domain_authority }) => ['plain', `${domain_authority} of 100`],
  },
  {
    signal: 'tld_trust',
    question: 'How strict is its TLD?',
    judge: ({ tld_trust }) => ['plain', `${tld_trust} of 5`],
  },
];

/** An address says nothing new about itself. */
const isItself = (signal: string, { email, normalized_email }: Signals): boolean =>
  signal === 'normalized_email' && normalized_email === email;

/** Every signal of a response, in words. */
export function readLines(answer: DomainSignals | EmailSignals): ReadLine[] {
  const signals: Signals = answer;
  return readers
    .filter(({ signal }) => signals[signal] !== undefined && !isItself(signal, signals))
    .map(({ signal, question, judge }) => {
      const explanation = explanationOf(signals.explain, signal);
      const isUnknown = explanation ? !explanation.known : signals[signal] === null;
      const reason = explanation?.known === false ? explanation.reason : null;
      const [tone, sentence]: Judged = isUnknown
        ? ['unknown', `Unknown: ${reasonText(reason)}`]
        : judge(signals, explanation);
      const why = explanation?.known ? explanation.evidence.map(evidenceText) : [];
      const group = groupOf[signal] ?? 'Reputation';
      return { signal, question, group, tone, sentence, why, isPending: reason === 'pending' };
    });
}

function mail({ mx, mx_providers, mx_records }: Signals): Judged {
  if (!mx) return ['block', 'No, it has no mail servers'];
  const by = mx_providers.map(({ slug }) => titled(slug));
  const servers = mx_records?.length ?? 0;
  return ['allow', `Yes${by.length > 0 ? `, by ${joined(by)}` : ''}${servers > 0 ? ` (${servers} MX)` : ''}`];
}

function disposable(signals: Signals, why: Explanation | undefined): Judged {
  const { disposable: isDisposable, disposable_provider: provider, domain } = signals;
  if (isDisposable) return ['block', `Yes${provider && provider !== domain ? `, by ${provider}` : ''}${named(why)}`];
  if (!why?.known || why.evidence.length === 0) return ['allow', 'No source lists it'];
  // The sources that overrule the votes are evidence, too: a relay, an allowed or a well-known name.
  const [votes, others] = [isVote, (one: Evidence) => !isVote(one)].map((kind) =>
    sourcesOf({ known: true, evidence: why.evidence.filter(kind) }),
  ) as [string[], string[]];
  const listed = votes.length === 0 ? '' : theyList(votes);
  const reason = overruling(signals) ?? (others.length > 0 ? `${joined(others)} overrules that` : null);
  if (listed === '') return ['allow', `No${reason === null ? '' : `: ${reason}`}`];
  return [
    'challenge',
    `No: ${listed}, but ${reason ?? (votes.length === 1 ? 'one list alone is not enough' : 'together they are not enough')}`,
  ];
}

const isVote = ({ detail }: Evidence) => detail === undefined || detail.startsWith('lists it as disposable');

/** The reason from the other signals why a listed name is not disposable. */
function overruling({ relay_domain, did_you_mean, free_subdomain }: Signals): string | null {
  if (relay_domain) return 'it is a relay, which is never disposable';
  if (did_you_mean) return `it is probably a typo of ${did_you_mean}`;
  return free_subdomain ? 'it is a name at a service with free subdomains' : null;
}

function publicMail(signals: Signals, why: Explanation | undefined): Judged {
  if (signals.public_domain) return ['plain', 'Yes, anyone can open a mailbox here'];
  const sources = sourcesOf(why);
  if (sources.length === 0) return ['plain', 'No'];
  const reason = signals.disposable
    ? 'it is a disposable service'
    : (overruling(signals) ?? 'one list alone is not enough');
  return ['plain', `No: ${theyList(sources)}, but ${reason}`];
}

/** The tone of an age: most abuse comes from young domains. */
export function age(days: number): Judged {
  if (days < 14) return ['block', `${spanOfDays(days)}: registered recently`];
  if (days < 90) return ['challenge', spanOfDays(days)];
  return [days >= 365 ? 'allow' : 'plain', spanOfDays(days)];
}

const policyTones: Readonly<Record<string, ReadingTone>> = {
  permissive: 'block',
  missing: 'challenge',
  invalid: 'challenge',
  neutral: 'challenge',
  strict: 'allow',
  relaxed: 'allow',
  reject: 'allow',
  quarantine: 'allow',
};

const policy = (verdict: string): Judged => [policyTones[verdict] ?? 'plain', titled(verdict)];

/** A slug in words: google-workspace becomes Google workspace. */
export function titled(slug: string): string {
  const words = slug.replaceAll(/[-_]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
