import type { Condition } from '../gates/rules/condition.ts';
import { type AboutFacts, atDomains, domainFacts, sentence } from './about-text.ts';
import { shapeText } from './shape-text.ts';
import type { Wave } from './wave.ts';
import type { WaveKind } from './wave-kind.ts';
import { draftList, listOfWave } from './wave-list.ts';

/** A wave, for proposals. */
export interface Evidence {
  readonly wave: Wave;
  /** The domains of its addresses, if there are few and the log has them all; otherwise none. */
  readonly fewDomains: readonly string[];
  readonly minAddresses: number;
}

export type Conditions = readonly [Condition, ...Condition[]];

/** The text and the rules of one kind of wave; its detection is in `detection/kinds.ts`. */
interface KindRow {
  /** The name of its rule. */
  readonly name: (wave: Wave) => string;
  /** Whether its sign-ups may be blocked: the others share a network, a device or a pattern with people. */
  readonly blocks: boolean;
  /** Conditions that would have stopped the wave, the most direct first. */
  readonly proposals: (evidence: Evidence) => readonly [Conditions, ...Conditions[]];
  /** The value in one sentence. */
  readonly text: (value: string, facts: AboutFacts) => string;
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

export const kindRows: Readonly<Record<WaveKind, KindRow>> = {
  mailbox: {
    name: () => 'Many spellings of one mailbox',
    blocks: true,
    proposals: () => [[atLeast('traffic.address.spellings_24h', 3)], [atLeast('traffic.address.spellings_24h', 5)]],
    text: (_, facts) => sentence(['One mailbox', ...domainFacts(facts)], facts.example),
  },
  device: {
    name: () => 'Many addresses from one device',
    blocks: false,
    proposals: ({ minAddresses }) => [
      [atLeast('traffic.device.addresses_24h', 4)],
      [atLeast('traffic.device.addresses_24h', minAddresses)],
    ],
    text: (_, { domains }) =>
      sentence([`a device that your application identifies${atDomains(domains, ', with addresses at')}`], null),
  },
  domain: {
    name: named,
    blocks: true,
    proposals: ({ wave }) => [[is('domain.registrable', wave.value)]],
    text: (_, facts) => sentence(domainFacts(facts), null) || 'Nothing is known of this domain.',
  },
  mail_server: {
    name: named,
    blocks: true,
    // Other customers of a small provider share its server: its domains touch fewer.
    proposals: ({ wave, fewDomains }) => [
      [{ field: 'domain.mx_records.*.hostname', operator: 'matches', value: `(^|\\.)${escaped(wave.value)}$` }],
      ...(fewDomains.length > 0 ? [oneOf(fewDomains)] : []),
    ],
    text: (_, { domains }) => sentence([`a mail server${atDomains(domains, ' of')}`], null),
  },
  network: {
    name: () => 'Networks of waves',
    blocks: false,
    proposals: ({ wave }) => [
      [{ field: listOfWave(wave)?.field ?? 'ip.address', operator: 'in_list', value: draftList }],
    ],
    text(_, { owner, asn, country, countryCode, networkType: type }) {
      const by = owner === null ? null : `a network of ${owner}${asn === null ? '' : ` (AS${asn})`}`;
      return sentence([by, country ?? countryCode, type], null) || 'The owner of this network is unknown: no IP data.';
    },
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
    text: (value, { example }) => sentence([`local parts of ${shapeText(value)}`], example),
  },
  new_domains: {
    name: () => 'Domains first seen yesterday or today',
    blocks: false,
    proposals: () => [[seenWithin(2), is('domain.public_domain', false)]],
    text: (_, { domains }) =>
      sentence([`domains that this environment first saw yesterday or today${atDomains(domains, ', such as')}`], null),
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
