import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Decision } from './decision.ts';
import { decisionText } from './decision-text.ts';
import { type SignalsBody, signalsFromBody } from './signals-body.ts';
import { signalsFromFields } from './signals-from-fields.ts';

const base: Omit<Decision, 'answer'> = {
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
const parsed = (decision: Omit<Decision, 'answer'>) =>
  JSON.parse(decisionText(decision)) as {
    input: object;
    decision: { matched_rule: object | null };
    signals: SignalsBody;
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

  it('holds all a later evaluation needs', () => {
    const signals = signalsFromFields({
      'email.address': 'Jane+x@example.com',
      'email.subaddress': 'x',
      'domain.name': 'example.com',
      'domain.mx': true,
      'domain.mx_records.*.hostname': ['mx.example.com'],
      'domain.mx_providers.*.slug': ['google'],
      'domain.age_days': 12,
      'ip.address': '203.0.113.7',
      'ip.geo.country_code': 'DE',
      'ip.anonymity.vpn.detected': true,
      'ip.network.asn': 64_512,
    });
    assert.deepEqual(signalsFromBody(parsed({ ...base, signals }).signals), signals);
  });
});
