import { wireTime } from '../../http/wire-time.ts';
import type { Values } from '../rules/signals.ts';
import type { DecidingRule, Decision } from './decision.ts';
import { oncePer } from './once-per.ts';
import { subjectText } from './signals-body.ts';

/**
 * The answer of a decision as JSON text, put together from parts that stay the same between decisions: most of it is
 * the signals of a domain, which are one object as long as nothing about it changes.
 */
export function decisionText(decision: Decision): string {
  const { input, action, matchedRule, signals, version, requestId, id, durationMs, createdAtMs } = decision;
  return (
    `{"input":${JSON.stringify(input)},` +
    `"decision":{"action":"${action}","matched_rule":${ruleText(matchedRule)}},` +
    `"signals":{"email":${textOrNull('email', signals.email)},"domain":${domainText(signals.domain)},` +
    `"ip":${textOrNull('ip', signals.ip)}},` +
    `"meta":{"version":"${version}","request_id":"${requestId}","decision_id":"${id}",` +
    `"duration_ms":${durationMs},"created_at":"${wireTime(createdAtMs)}"}}`
  );
}

const ruleText = (rule: DecidingRule | null): string =>
  rule === null
    ? 'null'
    : `{"id":"${rule.id}","name":${JSON.stringify(rule.name)},"message":${JSON.stringify(rule.message)}}`;

const domainText = oncePer(subjectText.domain);

const textOrNull = (subject: 'email' | 'ip', values: Values | null): string =>
  values === null ? 'null' : subjectText[subject](values);
