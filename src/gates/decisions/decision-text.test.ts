import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { signalsFromFields } from '../../../test/gates/signals-from-fields.ts';
import type { EmailSignals } from '../rules/signals.ts';
import type { Decision } from './decision.ts';
import { decisionText } from './decision-text.ts';
import { domainBody, emailBody } from './signals-body.ts';

const base: Decision = {
  id: '01K00000000000000000000000',
  gateId: '01k00000000000000000000000',
  requestId: '01K00000000000000000000001',
  version: '1',
  createdAtMs: Date.UTC(2026, 10, 15),
  durationMs: 0.25,
  input: { domain: 'example.com' },
  action: 'allow',
  matchedRule: null,
  signals: signalsFromFields({}),
};
const parsed = (decision: Decision) =>
  JSON.parse(decisionText(decision)) as {
    input: object;
    decision: { matched_rule: object | null };
    signals: object;
  };

describe('the text of an answer', () => {
  it('is JSON whatever was sent and however a rule is called', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.option(fc.string()), (email, name, message) => {
        const rule = { id: 'rule', name, message };
        const answer = parsed({ ...base, input: { email }, matchedRule: rule });
        assert.deepEqual(answer.input, { email });
        assert.deepEqual(answer.decision.matched_rule, rule);
      }),
    );
  });

  it('shows of a rule what is public, and the rule as it is after a change', () => {
    const rule = { id: 'rule', name: 'Before', message: null, conditions: [] };
    assert.deepEqual(parsed({ ...base, matchedRule: rule }).decision.matched_rule, {
      id: 'rule',
      name: 'Before',
      message: null,
    });
    const changed = { ...rule, name: 'After' };
    assert.deepEqual(parsed({ ...base, matchedRule: changed }).decision.matched_rule, {
      id: 'rule',
      name: 'After',
      message: null,
    });
  });

  it('shows every signal under its name, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string()), fc.option(fc.boolean()), (text, tag, flag) => {
        const { domain } = base.signals;
        const email: EmailSignals = {
          address: text,
          normalized: text,
          localPart: text,
          localPartLength: text.length,
          subaddress: tag,
          disposable: flag,
          roleAccount: flag,
        };
        const { signals } = parsed({ ...base, signals: { email, domain: { ...domain, name: text }, ip: null } });
        assert.deepEqual(signals, { email: emailBody(email), domain: domainBody({ ...domain, name: text }), ip: null });
      }),
    );
  });
});
