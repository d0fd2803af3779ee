import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { signalsFromFields } from '../../../test/gates/signals-from-fields.ts';
import { gateSignals } from '../rules/signals.ts';
import type { Decision } from './decision.ts';
import { decisionBody, subjectBodies } from './decision-body.ts';

const base: Decision = {
  id: '01K00000000000000000000000',
  gateId: '01k00000000000000000000000',
  requestId: '01K00000000000000000000001',
  version: '1',
  revision: 1,
  createdAtMs: Date.UTC(2026, 10, 15),
  durationMs: 0.25,
  input: { domain: 'example.com' },
  action: 'allow',
  matchedRule: null,
  deviceKey: null,
  hookId: null,
  otherRuleIds: [],
  signals: signalsFromFields({}),
  showsTraffic: false,
};
const parsed = (decision: Decision) =>
  JSON.parse(decisionBody.text(decision)) as {
    input: object;
    decision: { matched_rule: object | null };
    signals: object;
  };

describe('the text of an answer', () => {
  it('the text of a decision is valid JSON, whatever was sent and whatever a rule is called', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.option(fc.string()), (email, name, message) => {
        const rule = { id: 'rule', name, message };
        const answer = parsed({ ...base, input: { email }, matchedRule: rule });
        assert.deepEqual(answer.input, { email });
        assert.deepEqual(answer.decision.matched_rule, rule);
      }),
    );
  });

  it('the text of a decision shows of a rule what is public, and the rule as it is after a change', () => {
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

  it('the text of a decision shows of an IP address what an object with the same names would', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.string()), { minLength: 40, maxLength: 40 }), (values) => {
        const ip = values.slice(0, gateSignals.ip.length);
        const text = decisionBody.text({ ...base, signals: { ...base.signals, ip } });
        assert.ok(text.includes(`"ip":${JSON.stringify(subjectBodies.ip.body(ip))}}`));
      }),
    );
  });

  it('the text of a decision shows every signal under its name, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string()), fc.option(fc.boolean()), (text, tag, flag) => {
        const domain = base.signals.domain.with(0, text);
        const email = [text, text, text, text.length, tag, flag, flag];
        const { signals } = parsed({ ...base, signals: { email, domain, ip: null } });
        const names = [
          'address',
          'normalized',
          'local_part',
          'local_part_length',
          'subaddress',
          'disposable',
          'role_account',
        ];
        const named = Object.fromEntries(names.map((name, place) => [name, email[place]]));
        assert.deepEqual(signals, { email: named, domain: subjectBodies.domain.body(domain), ip: null });
      }),
    );
  });
});
