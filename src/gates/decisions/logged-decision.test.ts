import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { signalsFromFields } from '../../../test/gates/signals-from-fields.ts';
import { upgradeEntry } from '../../db/migrations/upgrade-release.ts';
import { ulid } from '../../ulid.ts';
import { createAddressKeys } from './address-key.ts';
import type { Decision } from './decision.ts';
import { decisionBody, subjectBodies } from './decision-body.ts';
import { toLoggedRow } from './decision-entry.ts';
import { fromLoggedRow, logRowBody, matchedRuleIds, namingsOf } from './logged-decision.ts';

const plain = createAddressKeys('plain', ['secret']);
const hashed = createAddressKeys('hashed', ['secret']);
const createdAtMs = Date.UTC(2026, 10, 15, 1, 2, 3, 456);
const signals = signalsFromFields({
  'email.address': 'Jane+x@example.com',
  'email.normalized': 'jane@example.com',
  'email.local_part': 'Jane+x',
  'email.local_part_length': 6,
  'email.subaddress': 'x',
  'email.role_account': false,
  'domain.name': 'example.com',
  'domain.tld': 'com',
  'domain.mx': true,
  'domain.mx_records.*.hostname': ['mx.example.com'],
  'domain.mx_providers.*.slug': ['google'],
  'domain.age_days': 12,
  'domain.blocklisted': false,
  'ip.address': '203.0.113.7',
  'ip.geo.country_code': 'DE',
  'ip.anonymity.vpn.detected': true,
  'ip.network.asn': 64_512,
  'traffic.domain.addresses_1h': 4,
  'traffic.domain.first_seen_days': 0,
});
const decision: Decision = {
  id: ulid(createdAtMs),
  gateId: '01k00000000000000000000000',
  requestId: '01K00000000000000000000001',
  version: '1',
  revision: 7,
  createdAtMs,
  durationMs: 0.25,
  input: { email: 'Jane+x@example.com', ip: '203.0.113.7' },
  action: 'block',
  matchedRule: { id: '01k00000000000000000000002', name: 'Rule', message: null },
  deviceKey: null,
  hookId: null,
  otherRuleIds: [],
  signals,
  showsTraffic: true,
};

const noOutcome = { outcome: null, outcome_reason: null };

describe('a logged decision', () => {
  it('a logged decision is shown as it was answered', () => {
    for (const made of [decision, { ...decision, action: 'allow', matchedRule: null } as const]) {
      const shown = JSON.parse(JSON.stringify(logRowBody.body(toLoggedRow(made, plain))));
      assert.deepEqual(shown, { id: decision.id, ...JSON.parse(decisionBody.text(made)), ...noOutcome });
    }
  });

  it('a logged decision names every rule that matched it, and one from before all were kept the one that decided', () => {
    const ruleId = decision.matchedRule?.id;
    const other = '01k00000000000000000000003';
    assert.deepEqual(matchedRuleIds(toLoggedRow({ ...decision, otherRuleIds: [other] }, plain)), [ruleId, other]);
    assert.deepEqual(matchedRuleIds(toLoggedRow(decision, plain)), [ruleId]);
  });

  it('a logged decision names the sources that named its domain, with the dates of their editions', () => {
    const namedBy = [
      { source: 'fakefilter', says: 'disposable', entry: 'example.com', date: '2026-11-14T00:00:00.000Z' },
      { source: 'operator', says: 'allowed', entry: 'com', date: null },
    ] as const;
    const made = { ...decision, signals: { ...signals, namedBy: [...namedBy] } };
    assert.deepEqual(namingsOf(toLoggedRow(made, plain)), namedBy);
    assert.deepEqual(namingsOf(toLoggedRow({ ...made, otherRuleIds: ['other'] }, hashed)), namedBy);
    // The response to the decision and its log entry are unchanged.
    assert.deepEqual(logRowBody.body(toLoggedRow(made, plain)), logRowBody.body(toLoggedRow(decision, plain)));
    assert.deepEqual(JSON.parse(decisionBody.text(made)), JSON.parse(decisionBody.text(decision)));
  });

  it('a logged decision of version 0.1.0 has unknown sources', () => {
    const row = toLoggedRow(decision, plain);
    const entry = JSON.stringify(JSON.parse(row.entry).slice(0, 9));
    assert.equal(namingsOf({ ...row, entry }), null);
  });

  it('a logged decision keeps of many long mail hosts what fits into two thousand characters', () => {
    const hosts = Array.from({ length: 30 }, (_, index) => `h${index}.${'x'.repeat(230)}.test`);
    const made = {
      ...decision,
      signals: signalsFromFields({ 'domain.mx_records.*.hostname': hosts, 'domain.tld': 'com' }),
    };
    const row = toLoggedRow(made, plain);
    const shown = JSON.parse(JSON.stringify(logRowBody.body(row))).signals.domain;
    assert.equal(shown.tld, 'com');
    assert.deepEqual(
      shown.mx_records.map(({ hostname }: { hostname: string }) => hostname),
      hosts.slice(0, 7),
    );
    assert.ok(row.entry.length < 4_000);
  });

  it('a logged decision is shown as it was answered, whatever was sent and whatever a rule is called', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.option(fc.string()), (text, name, message) => {
        const { email, ...others } = signals;
        assert.ok(email);
        const made: Decision = {
          ...decision,
          input: { email: text },
          matchedRule: { id: 'rule', name, message },
          signals: { ...others, email: [text, text, text, ...email.slice(3)] },
        };
        const shown = JSON.parse(JSON.stringify(logRowBody.body(toLoggedRow(made, plain))));
        assert.deepEqual(shown, { id: decision.id, ...JSON.parse(decisionBody.text(made)), ...noOutcome });
      }),
    );
  });

  it('a logged decision holds all a later evaluation needs', () => {
    const { id, action, input, showsTraffic } = decision;
    // A copy has the values alone, without the texts that are kept with them.
    const values = structuredClone(signals);
    assert.deepEqual(fromLoggedRow(toLoggedRow(decision, plain)), {
      id,
      action,
      input,
      showsTraffic,
      signals: values,
    });
  });

  it('a logged decision with hashed addresses holds no part of the address, and hides it from a later evaluation', () => {
    const row = toLoggedRow(decision, hashed);
    assert.doesNotMatch(JSON.stringify(row), /jane|"x"/i);
    const { email, ip } = fromLoggedRow(row).signals;
    assert.ok(email);
    assert.deepEqual([ip?.[0], ip?.slice(1)], [null, signals.ip?.slice(1)]);
    assert.deepEqual(subjectBodies.email.body(email), {
      address: null,
      normalized: null,
      local_part: null,
      local_part_length: 6,
      subaddress: null,
      disposable: null,
      role_account: false,
    });
  });

  it('a logged decision written by version 0.1.0 is shown correctly after the upgrade', () => {
    const mail =
      '[{"hostname":"mx.example.com","priority":10}],[{"slug":"google","type":"mailbox","grade":"standard"}]';
    const domain = `["example.com","com","example","www",61,2,3,true,${mail},"strict","reject",true,"operator",false,true,false,true,"suggested",false]`;
    const anonymity =
      '{"proxy":{"detected":true},"relay":{"detected":false},"tor":{"detected":null},"vpn":{"detected":true}}';
    const geo = '{"country":"Germany","countryCode":"DE","continent":"Europe","continentCode":"EU","city":"Berlin"}';
    const network = '{"asn":64512,"aso":"Example","domain":"example.net","type":"isp"}';
    const ip = `{"address":"203.0.113.7","abuse":{"detected":false},"anonymity":${anonymity},"hosting":{"detected":true},"geo":${geo},"network":${network}}`;
    const email = '["jane@example.com","Jane+x",6,"x",true,false]';
    const entry = `["01K00000000000000000000001","1",0.25,{"email":"Jane+x@www.example.com"},null,${email},${domain},${ip}]`;
    const row = { ...toLoggedRow(decision, plain), domain: 'www.example.com', entry: upgradeEntry(entry) };
    assert.deepEqual(logRowBody.body(row).signals, {
      email: {
        address: 'Jane+x@www.example.com',
        normalized: 'jane@example.com',
        local_part: 'Jane+x',
        local_part_length: 6,
        subaddress: 'x',
        disposable: true,
        role_account: false,
      },
      domain: {
        name: 'www.example.com',
        registrable: 'example.com',
        tld: 'com',
        sld: 'example',
        subdomain: 'www',
        domain_authority: 61,
        tld_trust: 2,
        age_days: 3,
        mx: true,
        mx_records: [{ hostname: 'mx.example.com', priority: 10 }],
        mx_providers: [{ slug: 'google', type: 'mailbox', grade: 'standard' }],
        spf: 'strict',
        dmarc: 'reject',
        disposable: true,
        disposable_provider: 'operator',
        public_domain: false,
        relay_domain: true,
        free_subdomain: false,
        spam: true,
        did_you_mean: 'suggested',
        blocklisted: false,
      },
      ip: {
        address: '203.0.113.7',
        abuse: { detected: false },
        anonymity: JSON.parse(anonymity),
        hosting: { detected: true },
        geo: {
          country: 'Germany',
          country_code: 'DE',
          continent: 'Europe',
          continent_code: 'EU',
          city: 'Berlin',
        },
        network: JSON.parse(network),
      },
    });
  });
});
