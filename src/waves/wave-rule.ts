import type { Condition } from '../gates/rules/condition.ts';
import type { Wave } from './wave.ts';
import type { WaveKind } from './wave-kind.ts';

/** A rule as `POST …/rules` accepts it. */
export interface ProposedRule {
  readonly name: string;
  readonly description: string | null;
  readonly message: string | null;
  readonly match: 'all';
  readonly action: 'block' | 'challenge';
  readonly conditions: readonly Condition[];
}

type Proposal = Pick<ProposedRule, 'action' | 'conditions'>;

const is = (field: string, value: string | boolean): Condition => ({ field, operator: 'equals', value });
const atLeast = (field: string, value: number): Condition => ({ field, operator: 'greater_than_or_equal', value });

/** Rules that would have stopped a wave, the most direct first. Networks are shared: their sign-ups are challenged. */
export function proposedRules(wave: Wave, minAddresses: number): readonly [ProposedRule, ...ProposedRule[]] {
  const [first, ...others] = proposalsBy[wave.kind](wave.value, minAddresses);
  return [withTexts(wave, first), ...others.map((proposal) => withTexts(wave, proposal))];
}

function withTexts(wave: Wave, { action, conditions }: Proposal): ProposedRule {
  const began = new Date(wave.beganAtMs).toISOString().slice(0, 16).replace('T', ' ');
  return {
    name: `Wave: ${wave.value}`.slice(0, 120),
    description: `${wave.addresses} addresses from ${began} UTC on`,
    message: action === 'block' ? 'This address is not accepted.' : 'Please confirm that you are a person.',
    match: 'all',
    action,
    conditions,
  };
}

/** Rules against each kind of wave, the most direct first. */
const proposalsBy: Readonly<
  Record<WaveKind, (value: string, minAddresses: number) => readonly [Proposal, ...Proposal[]]>
> = {
  mailbox: () => [{ action: 'block', conditions: [atLeast('traffic.address.spellings_24h', 3)] }],
  device: (_, minAddresses) => [
    { action: 'challenge', conditions: [atLeast('traffic.device.addresses_24h', minAddresses)] },
  ],
  domain: (value) => [{ action: 'block', conditions: [is('domain.registrable', value)] }],
  mail_server: (value, minAddresses) => [
    {
      action: 'block',
      conditions: [{ field: 'domain.mx_records.*.hostname', operator: 'matches', value: `(^|\\.)${escaped(value)}$` }],
    },
    { action: 'block', conditions: [atLeast('traffic.mail_server.addresses_1h', minAddresses)] },
  ],
  network: (value, minAddresses) => {
    const busy: Proposal = {
      action: 'challenge',
      conditions: [atLeast('traffic.network.addresses_1h', minAddresses)],
    };
    // IPv6 addresses leave out zeros, so those of a /48 have no common text.
    if (!value.endsWith('/24')) return [busy];
    const prefix = value.slice(0, value.lastIndexOf('.') + 1);
    return [
      { action: 'challenge', conditions: [{ field: 'ip.address', operator: 'starts_with', value: prefix }] },
      busy,
    ];
  },
  shape: (value) => {
    const conditions: readonly Condition[] = [
      { field: 'email.local_part', operator: 'matches', value: `^${shapePattern(value)}$` },
      is('domain.public_domain', false),
    ];
    return [
      { action: 'challenge', conditions },
      {
        action: 'challenge',
        conditions: [...conditions, { field: 'traffic.domain.first_seen_days', operator: 'less_than', value: 7 }],
      },
    ];
  },
  new_domains: () => [
    {
      action: 'challenge',
      conditions: [
        { field: 'traffic.domain.first_seen_days', operator: 'less_than', value: 2 },
        is('domain.public_domain', false),
      ],
    },
  ],
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
