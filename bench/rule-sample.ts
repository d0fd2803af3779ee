import type { Condition } from '../src/gates/rules/condition.ts';
import type { RuleDraft } from '../src/gates/rules/rule.ts';
import type { FieldValues } from '../test/gates/signals-from-fields.ts';
import type { SeededRandom } from './seeded-random.ts';

/**
 * 20 rules of 3 conditions. The first two of each mostly hold and the third mostly does not, so that nearly all 60 are
 * evaluated. The first match is final, and all operators exist in every engine.
 */
export const sampleRules: readonly RuleDraft[] = Array.from({ length: 20 }, (_, index) => ({
  name: `Rule ${index}`,
  description: null,
  message: null,
  match: 'all',
  action: index % 2 === 0 ? 'block' : 'challenge',
  stop: true,
  enabled: true,
  mode: 'live',
  conditions: conditionsOf(index),
}));

function conditionsOf(index: number): Condition[] {
  switch (index % 5) {
    case 0:
      return [
        { field: 'domain.mx', operator: 'equals', value: true },
        { field: 'domain.tld_trust', operator: 'less_than', value: 4 },
        { field: 'domain.name', operator: 'equals', value: `name-${index}.example` },
      ];
    case 1:
      return [
        { field: 'domain.disposable', operator: 'equals', value: false },
        { field: 'domain.age_days', operator: 'greater_than', value: 5 + index },
        { field: 'ip.geo.country_code', operator: 'in', value: [`X${index}`, `Y${index}`, `Z${index}`] },
      ];
    case 2:
      return [
        { field: 'email.role_account', operator: 'equals', value: false },
        { field: 'domain.dmarc', operator: 'in', value: ['none', 'missing', 'quarantine'] },
        { field: 'domain.domain_authority', operator: 'less_than', value: 1 },
      ];
    case 3:
      return [
        { field: 'domain.spf', operator: 'equals', value: 'relaxed' },
        { field: 'email.local_part_length', operator: 'greater_than', value: 3 },
        { field: 'domain.tld', operator: 'in', value: ['zip', 'mov', `tld${index}`] },
      ];
    default:
      return [
        { field: 'domain.public_domain', operator: 'equals', value: false },
        { field: 'ip.hosting.detected', operator: 'equals', value: false },
        { field: 'ip.network.asn', operator: 'equals', value: 64_512 + index },
      ];
  }
}

/** The signals of one random request; every field that a rule names is known, because the engines differ on unknown ones. */
export function sampleValues(random: SeededRandom): FieldValues {
  return {
    'email.local_part_length': 2 + random.integer(20),
    'email.role_account': random.integer(20) === 0,
    'domain.name': random.integer(50) === 0 ? 'name-10.example' : `${random.label(8)}.com`,
    'domain.tld': random.pick(['com', 'com', 'com', 'net', 'org', 'de', 'co.uk']),
    'domain.domain_authority': random.integer(101),
    'domain.tld_trust': 1 + random.integer(3),
    'domain.age_days': random.integer(5_000),
    'domain.mx': random.integer(10) !== 0,
    'domain.spf': random.pick(['relaxed', 'relaxed', 'strict']),
    'domain.dmarc': random.pick(['none', 'missing', 'quarantine', 'reject']),
    'domain.disposable': random.integer(10) === 0,
    'domain.public_domain': random.integer(4) === 0,
    'ip.hosting.detected': random.integer(10) === 0,
    'ip.geo.country_code': random.pick(['DE', 'US', 'BR', 'IN', 'FR']),
    'ip.network.asn': 64_400 + random.integer(200),
  };
}
