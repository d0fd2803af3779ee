import { dayName } from './times.ts';

interface Decided {
  readonly action: 'allow' | 'block' | 'challenge';
  readonly subject: string;
  readonly at: string;
  /** The rule's message to visitors. */
  readonly message: string | null;
  readonly decisionId: string;
}

const outcomes = {
  allow: 'was accepted',
  block: 'was not accepted',
  challenge: 'needed one more confirmation',
} as const;

/** A reply to the person a decision concerns. It names no rule and no signal: those would help the next attacker. */
export function supportReply({ action, subject, at, message, decisionId }: Decided): string {
  const lines = [
    `Your sign-up with ${subject} on ${dayName(at)} ${outcomes[action]}.`,
    action === 'allow' ? '' : (message ?? ''),
    action === 'allow' ? '' : 'If you think that this is a mistake, please reply to this message.',
    `Reference: ${decisionId}`,
  ];
  return lines.filter((line) => line !== '').join('\n');
}
