import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FieldValues, signalsFromFields } from '../../test/gates/signals-from-fields.ts';
import { readInput } from '../../test/read-input.ts';
import { presetRules } from './preset.ts';
import { compileGate } from './rules/evaluate.ts';
import { newRuleInput } from './rules/rule-input.ts';

const decide = (signals: FieldValues) => {
  const verdict = compileGate({ defaultAction: 'allow', rules: presetRules('signup') })(signalsFromFields(signals));
  return [verdict.action, verdict.matchedRule?.name ?? null];
};

const sound: FieldValues = {
  'email.disposable': false,
  'domain.blocklisted': false,
  'domain.disposable': false,
  'domain.mx': true,
  'domain.spam': false,
  'domain.age_days': 4000,
  'ip.anonymity.tor.detected': false,
  'ip.anonymity.vpn.detected': false,
  'ip.anonymity.proxy.detected': false,
};

describe('the signup preset', () => {
  it('the signup preset is made of valid rules, each with a message', () => {
    for (const rule of presetRules('signup')) {
      assert.deepEqual(readInput(newRuleInput, rule), { ok: true, value: { draft: rule, position: null } });
      assert.ok(rule.message);
    }
  });

  it('the signup preset allows a sound address, and one of which nothing is known', () => {
    assert.deepEqual(decide(sound), ['allow', null]);
    assert.deepEqual(decide({}), ['allow', null]);
  });

  const rows: readonly (readonly [string, FieldValues, string])[] = [
    ['Blocklisted domain', { 'domain.blocklisted': true }, 'block'],
    ['Disposable email', { 'domain.disposable': true }, 'block'],
    ['Disposable email', { 'email.disposable': true }, 'block'],
    ['No MX records', { 'domain.mx': false }, 'block'],
    ['Spam domain', { 'domain.spam': true }, 'block'],
    ['Tor, VPN or proxy', { 'ip.anonymity.tor.detected': true }, 'challenge'],
    ['Tor, VPN or proxy', { 'ip.anonymity.vpn.detected': true }, 'challenge'],
    ['Tor, VPN or proxy', { 'ip.anonymity.proxy.detected': true }, 'challenge'],
    ['Very young domain', { 'domain.age_days': 13 }, 'challenge'],
  ];
  for (const [name, signals, action] of rows) {
    it(`the signup preset answers ${action} by "${name}" for ${JSON.stringify(signals)}`, () => {
      assert.deepEqual(decide({ ...sound, ...signals }), [action, name]);
    });
  }

  it('the signup preset stops at a block: a young disposable domain is blocked', () => {
    assert.deepEqual(decide({ ...sound, 'domain.disposable': true, 'domain.age_days': 1 }), [
      'block',
      'Disposable email',
    ]);
  });

  it('the signup preset leaves a domain of 14 days alone', () => {
    assert.deepEqual(decide({ ...sound, 'domain.age_days': 14 }), ['allow', null]);
  });

  it('the signup preset has no rules when none are asked for', () => {
    assert.deepEqual(presetRules('none'), []);
  });
});
