import type { Condition } from '../../src/gates/rules/condition.ts';
import { conditionCases, type GateCase } from './case.ts';
import type { FieldValues } from './signals-from-fields.ts';

/** One condition on signals of which another field is known. */
function inputCase(name: string, condition: Condition, signals: FieldValues, holds: boolean): GateCase {
  return {
    name,
    rules: [{ name: 'Rule', action: 'challenge', conditions: [condition] }],
    signals,
    defaultAction: 'allow',
    expected: { action: holds ? 'challenge' : 'allow', rule: holds ? 'Rule' : null, shadow: [] },
  };
}

const absence: readonly GateCase[] = [
  inputCase(
    'a domain input: the address is unknown',
    { field: 'email.address', operator: 'is_unknown' },
    { 'domain.name': 'example.com' },
    true,
  ),
  inputCase(
    'a domain input: not_equals on the address does not hold',
    { field: 'email.local_part', operator: 'not_equals', value: 'admin' },
    { 'domain.name': 'example.com' },
    false,
  ),
  inputCase(
    'a domain input: the length of the local part is unknown, not zero',
    { field: 'email.local_part_length', operator: 'less_than', value: 5 },
    { 'domain.name': 'example.com' },
    false,
  ),
  inputCase(
    'no ip: a detection is unknown, not false',
    { field: 'ip.anonymity.tor.detected', operator: 'equals', value: false },
    { 'email.local_part': 'jane' },
    false,
  ),
  inputCase(
    'no ip: the country is not "not in" a list',
    { field: 'ip.geo.country_code', operator: 'not_in', value: ['US'] },
    { 'email.local_part': 'jane' },
    false,
  ),
  inputCase(
    'an ip whose network is not known',
    { field: 'ip.network.asn', operator: 'is_unknown' },
    { 'ip.geo.country_code': 'DE' },
    true,
  ),
  inputCase(
    'email.disposable and domain.disposable are separate',
    { field: 'email.disposable', operator: 'equals', value: true },
    { 'email.disposable': false, 'domain.disposable': true },
    false,
  ),
];

const everyday: readonly GateCase[] = [
  ...conditionCases('email.address', [['a plus sign in the address', 'contains', '+', 'Jane+news@example.com', true]]),
  ...conditionCases('email.local_part', [['digits at the end', 'matches', '[0-9]{4,}$', 'jane19874', true]]),
  ...conditionCases('email.local_part_length', [['a very short local part', 'less_than', 3, 2, true]]),
  ...conditionCases('email.role_account', [['a shared address', 'equals', true, true, true]]),
  ...conditionCases('domain.tld', [['one of some TLDs', 'in', ['xyz', 'top'], 'XYZ', true]]),
  ...conditionCases('domain.name', [['a subdomain of a university', 'ends_with', '.ac.uk', 'cs.example.ac.uk', true]]),
  ...conditionCases('domain.domain_authority', [['an established domain', 'greater_than_or_equal', 60, 71, true]]),
  ...conditionCases('domain.spf', [['any policy but these', 'not_in', ['strict', 'relaxed'], 'missing', true]]),
  ...conditionCases('domain.did_you_mean', [['a likely misspelling', 'is_known', undefined, 'gmail.com', true]]),
  ...conditionCases('ip.geo.country_code', [['a country, in either case', 'equals', 'de', 'DE', true]]),
  ...conditionCases('ip.network.asn', [['a network by its number', 'in', [64500, 64501], 64501, true]]),
  ...conditionCases('ip.network.aso', [['a network by its name', 'contains', 'hosting', 'Example Hosting Ltd', true]]),
];

/** Which fields are unknown for which input, and everyday conditions. */
export const inputCases: readonly GateCase[] = [...absence, ...everyday];
