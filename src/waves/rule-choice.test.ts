import assert from 'node:assert/strict';
import { it } from 'node:test';
import { gateSignals, placeOf, type SubjectName, type Values } from '../gates/rules/signals.ts';
import { chooseRule, type EvaluatedDecision } from './rule-choice.ts';
import type { ConfirmedWave, ReportedOutcome } from './wave.ts';

const beganAtMs = Date.UTC(2026, 10, 15);
const dayMs = 86_400_000;
const wave: ConfirmedWave = {
  id: '',
  owner: { accountId: 'account', environment: 'production' },
  kind: 'domain',
  value: 'd0.example',
  beganAtMs,
  lastAtMs: beganAtMs,
  endedAtMs: beganAtMs + 1_000,
  addresses: 10,
  confirmedBad: 0,
  confirmedGood: 0,
  domains: 3,
  ips: 10,
  allow: 10,
  block: 0,
  challenge: 0,
  usualPerHour: 0,
  threshold: 8,
  isSlow: false,
  isStopped: false,
  verdict: null,
  createdAtMs: beganAtMs,
  samples: [],
};

type Known = Readonly<Record<string, string | number | boolean | readonly { readonly hostname: string }[]>>;
const valuesOf = (subject: SubjectName, known: Known): Values =>
  Object.entries(known).reduce<Values>(
    (values, [name, value]) => values.with(placeOf(subject, name), value as never),
    new Array<null>(gateSignals[subject].length).fill(null),
  );
const decided = (
  createdAtMs: number,
  known: { readonly domain?: Known; readonly ip?: Known; readonly traffic?: Known },
  outcome: ReportedOutcome | null = null,
): EvaluatedDecision => ({
  createdAtMs,
  outcome,
  signals: {
    email: null,
    domain: valuesOf('domain', known.domain ?? {}),
    ip: valuesOf('ip', known.ip ?? {}),
    traffic: valuesOf('traffic', known.traffic ?? {}),
  },
});
const choose = (
  logged: readonly EvaluatedDecision[],
  changes: Partial<ConfirmedWave> = {},
  fewDomains: readonly string[] = [],
) =>
  chooseRule(
    { wave: { ...wave, ...changes }, fewDomains, minAddresses: 8 },
    {
      async readLog(_owner, _fromMs, _budget, visit) {
        logged.forEach(visit);
        return true;
      },
      now: () => beganAtMs + dayMs,
      monotonicMs: () => 0,
    },
  );
const attack = (known: (index: number) => Parameters<typeof decided>[1]): EvaluatedDecision[] =>
  Array.from({ length: 10 }, (_, index) => decided(beganAtMs + index, known(index)));
const hostedAt = (domain: string) => ({
  domain: { registrable: domain, mx_records: [{ hostname: 'mx.host.example' }] },
});

it('the rule against a wave is the one that touches the least else, of those that catch the wave [D421]', async () => {
  const hosted = attack((index) => hostedAt(`d${index % 3}.example`));
  const domains = ['d0.example', 'd1.example', 'd2.example'];
  const mailServer = { kind: 'mail_server', value: 'host.example' } as const;
  const alone = await choose(hosted, mailServer, domains);
  assert.deepEqual(
    [alone.rule.conditions[0]?.field, alone.stops, alone.touches],
    ['domain.mx_records.*.hostname', 10, 0],
  );
  const customers = [1, 2, 3].map((days) => decided(beganAtMs - days * dayMs, hostedAt('customer.example')));
  const shared = await choose([...hosted, ...customers], mailServer, domains);
  assert.deepEqual(shared.rule.conditions, [{ field: 'domain.registrable', operator: 'in', value: domains }]);
  assert.deepEqual([shared.stops, shared.touches, shared.evaluated, shared.isComplete], [10, 0, 13, true]);
});

it('the rule against a network compares with a list that holds the network alone [D429]', async () => {
  const network = { kind: 'network', value: '203.0.112.0/20' } as const;
  const logged = [
    ...attack((index) => ({ ip: { address: `203.0.${112 + index}.9` } })),
    decided(beganAtMs - dayMs, { ip: { address: '203.0.128.1' } }),
    decided(beganAtMs - dayMs, { ip: { address: '203.0.127.1' } }),
    decided(beganAtMs - dayMs, { ip: { address: '2001:db8::1' } }),
  ];
  const byAddress = await choose(logged, network);
  assert.deepEqual([byAddress.rule.action, byAddress.stops, byAddress.touches], ['challenge', 10, 1]);
  assert.deepEqual(byAddress.rule.conditions[0]?.operator, 'in_list');
  const asn = await choose(
    attack(() => ({ ip: { 'network.asn': 64_500 } })),
    { kind: 'network', value: 'AS64500' },
  );
  assert.deepEqual([asn.rule.conditions[0]?.field, asn.stops], ['ip.network.asn', 10]);
});

it('a rule blocks a domain, mail server or mailbox without good outcomes, and challenges otherwise [D430]', async () => {
  const actions = async (changes: Partial<ConfirmedWave>, logged: readonly EvaluatedDecision[] = []) =>
    (await choose(logged, changes)).rule.action;
  for (const kind of ['domain', 'mail_server', 'mailbox'] as const) {
    assert.equal(await actions({ kind }), 'block', kind);
    assert.equal(await actions({ kind, confirmedGood: 1 }), 'challenge', `${kind} with a good member`);
  }
  for (const kind of ['device', 'network', 'shape', 'new_domains'] as const)
    assert.equal(await actions({ kind }), 'challenge', kind);
  const customer = decided(beganAtMs - dayMs, { domain: { registrable: 'd0.example' } }, 'good');
  assert.equal(await actions({}, [customer]), 'challenge', 'a good outcome before the wave');
});

it('a shape at few domains is drafted as these domains [D431]', async () => {
  const shape = { kind: 'shape', value: 'aaaa99' } as const;
  const domains = ['d0.example', 'd1.example'];
  const few = await choose([], shape, domains);
  assert.deepEqual(few.rule.conditions, [{ field: 'domain.registrable', operator: 'in', value: domains }]);
  const many = await choose([], shape);
  assert.equal(many.rule.conditions[0]?.value, '^\\p{L}{4}\\p{Nd}{2}$');
});
