import type { Condition } from '../gates/rules/condition.ts';
import type { Wave } from './wave.ts';
import type { WaveKind } from './wave-kind.ts';

/** A rule as `POST …/rules` accepts it, once its list exists. */
export interface ProposedRule {
  readonly name: string;
  readonly description: string | null;
  readonly message: string | null;
  readonly match: 'all';
  readonly action: 'block' | 'challenge';
  readonly conditions: readonly Condition[];
}

/** A wave, for proposals. */
export interface Evidence {
  readonly wave: Wave;
  /** The domains of its addresses, if there are few and the log has them all; otherwise none. */
  readonly fewDomains: readonly string[];
  readonly minAddresses: number;
}

/** More domains than this are described by their common value. */
export const maxFewDomains = 10;

/** The value of a condition on the list of a draft, until the list is known. */
export const draftList = '';

type Conditions = readonly [Condition, ...Condition[]];

interface KindRules {
  readonly name: (wave: Wave) => string;
  /** Whether its sign-ups may be blocked: the others share a network, a device or a pattern with people. */
  readonly blocks: boolean;
  /** Conditions that would have stopped the wave, the most direct first. */
  readonly proposals: (evidence: Evidence) => readonly [Conditions, ...Conditions[]];
}

const is = (field: string, value: string | boolean): Condition => ({ field, operator: 'equals', value });
const atLeast = (field: string, value: number): Condition => ({ field, operator: 'greater_than_or_equal', value });
const seenWithin = (days: number): Condition => ({
  field: 'traffic.domain.first_seen_days',
  operator: 'less_than',
  value: days,
});
const oneOf = (domains: readonly string[]): Conditions => [
  { field: 'domain.registrable', operator: 'in', value: domains },
];
const named = ({ value }: Wave): string => `Wave: ${value}`.slice(0, 120);

/** Rules against a wave, the most direct first. */
export function proposedRules(evidence: Evidence): readonly [ProposedRule, ...ProposedRule[]] {
  const { wave } = evidence;
  const { name, blocks, proposals } = kindRules[wave.kind];
  const began = new Date(wave.beganAtMs).toISOString().slice(0, 16).replace('T', ' ');
  const toRule = (conditions: Conditions): ProposedRule =>
    withAction(
      {
        name: name(wave),
        description: `${wave.addresses} addresses from ${began} UTC on`,
        message: null,
        match: 'all',
        action: 'challenge',
        conditions,
      },
      blocks ? 'block' : 'challenge',
    );
  const [first, ...others] = proposals(evidence);
  return [toRule(first), ...others.map(toRule)];
}

/** The rule with another action, and the message that fits it. */
export function withAction(rule: ProposedRule, action: ProposedRule['action']): ProposedRule {
  const message = action === 'block' ? 'This address is not accepted.' : 'Please confirm that you are a person.';
  return { ...rule, action, message };
}

/** A list that holds a network or an autonomous system, with the field that is compared with it; null for another kind. */
export function listOfWave({ kind, value }: Pick<Wave, 'kind' | 'value'>) {
  if (kind !== 'network') return null;
  return value.startsWith('AS')
    ? ({ kind: 'asn', field: 'ip.network.asn', entry: value.slice(2) } as const)
    : ({ kind: 'ip', field: 'ip.address', entry: value } as const);
}

const kindRules: Readonly<Record<WaveKind, KindRules>> = {
  mailbox: {
    name: () => 'Many spellings of one mailbox',
    blocks: true,
    proposals: () => [[atLeast('traffic.address.spellings_24h', 3)], [atLeast('traffic.address.spellings_24h', 5)]],
  },
  device: {
    name: () => 'Many addresses from one device',
    blocks: false,
    proposals: ({ minAddresses }) => [
      [atLeast('traffic.device.addresses_24h', 4)],
      [atLeast('traffic.device.addresses_24h', minAddresses)],
    ],
  },
  domain: {
    name: named,
    blocks: true,
    proposals: ({ wave }) => [[is('domain.registrable', wave.value)]],
  },
  mail_server: {
    name: named,
    blocks: true,
    // Other customers of a small provider share its server: its domains touch fewer.
    proposals: ({ wave, fewDomains }) => [
      [{ field: 'domain.mx_records.*.hostname', operator: 'matches', value: `(^|\\.)${escaped(wave.value)}$` }],
      ...(fewDomains.length > 0 ? [oneOf(fewDomains)] : []),
    ],
  },
  network: {
    name: () => 'Networks of waves',
    blocks: false,
    proposals: ({ wave }) => [
      [{ field: listOfWave(wave)?.field ?? 'ip.address', operator: 'in_list', value: draftList }],
    ],
  },
  shape: {
    name: named,
    blocks: false,
    proposals({ wave, fewDomains }) {
      if (fewDomains.length > 0) return [oneOf(fewDomains)];
      const pattern: Conditions = [
        { field: 'email.local_part', operator: 'matches', value: `^${shapePattern(wave.value)}$` },
        is('domain.public_domain', false),
      ];
      return [pattern, [...pattern, seenWithin(7)]];
    },
  },
  new_domains: {
    name: () => 'Domains first seen yesterday or today',
    blocks: false,
    proposals: () => [[seenWithin(2), is('domain.public_domain', false)]],
  },
};

function shapePattern(shape: string): string {
  return [...shape.matchAll(/a+|9+|[^a9]+/g)]
    .map(([run]) => {
      if (run[0] === 'a') return `\\p{L}{${run.length}}`;
      return run[0] === '9' ? `\\p{Nd}{${run.length}}` : escaped(run);
    })
    .join('');
}

/** Escapes a text for RE2. */
function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
