import { conditionCases, type GateCase } from './case.ts';

const google = ['aspmx.l.google.com', 'alt1.aspmx.l.google.com'];
const mixed = ['mx1.example.com', 'backup.mail.example.net'];

const hostnameCases = conditionCases('domain.mx_records.*.hostname', [
  ['equals one of them', 'equals', 'mx1.example.com', mixed, true],
  ['equals ignores case', 'equals', 'MX1.Example.com', mixed, true],
  ['equals none of them', 'equals', 'example.com', mixed, false],
  ['equals, no records', 'equals', 'mx1.example.com', [], false],
  ['equals, unknown', 'equals', 'mx1.example.com', null, false],
  ['not_equals any of them', 'not_equals', 'example.com', mixed, true],
  ['not_equals, one of them is equal', 'not_equals', 'mx1.example.com', mixed, false],
  ['not_equals, no records', 'not_equals', 'mx1.example.com', [], true],
  ['not_equals, unknown', 'not_equals', 'mx1.example.com', null, false],
  ['in a list that has one of them', 'in', ['a.example', 'MX1.example.com'], mixed, true],
  ['in a list that has none of them', 'in', ['a.example', 'b.example'], mixed, false],
  ['in, no records', 'in', ['a.example'], [], false],
  ['in, unknown', 'in', ['a.example'], null, false],
  ['not_in a list that has none of them', 'not_in', ['a.example'], mixed, true],
  ['not_in a list that has one of them', 'not_in', ['a.example', 'mx1.example.com'], mixed, false],
  ['not_in, no records', 'not_in', ['a.example'], [], true],
  ['not_in, unknown', 'not_in', ['a.example'], null, false],
  ['contains, in one of them', 'contains', 'BACKUP', mixed, true],
  ['contains, in none of them', 'contains', 'google', mixed, false],
  ['contains, no records', 'contains', 'google', [], false],
  ['contains, unknown', 'contains', 'google', null, false],
  ['not_contains, in none of them', 'not_contains', 'google', mixed, true],
  ['not_contains, in one of them', 'not_contains', 'backup', mixed, false],
  ['not_contains, no records', 'not_contains', 'google', [], true],
  ['not_contains, unknown', 'not_contains', 'google', null, false],
  ['starts_with, one of them', 'starts_with', 'Alt1.', google, true],
  ['starts_with, none of them', 'starts_with', 'l.google', google, false],
  ['starts_with, no records', 'starts_with', 'a', [], false],
  ['starts_with, unknown', 'starts_with', 'a', null, false],
  ['ends_with, one of them', 'ends_with', '.EXAMPLE.net', mixed, true],
  ['ends_with, none of them', 'ends_with', '.google.com', mixed, false],
  ['ends_with, no records', 'ends_with', '.google.com', [], false],
  ['ends_with, unknown', 'ends_with', '.google.com', null, false],
  ['matches one of them', 'matches', '^mx\\d+\\.', mixed, true],
  ['matches none of them', 'matches', '^mail\\.', mixed, false],
  ['matches, no records', 'matches', '.*', [], false],
  ['matches, unknown', 'matches', '.*', null, false],
  ['not_matches any of them', 'not_matches', '^mail\\.', mixed, true],
  ['not_matches, one of them does', 'not_matches', '\\.NET$', mixed, false],
  ['not_matches, no records', 'not_matches', '.*', [], true],
  ['not_matches, unknown', 'not_matches', '.*', null, false],
  ['records are known', 'is_known', undefined, mixed, true],
  ['an empty list is known', 'is_known', undefined, [], true],
  ['unknown is not known', 'is_known', undefined, null, false],
  ['unknown is unknown', 'is_unknown', undefined, null, true],
  ['no records is not unknown', 'is_unknown', undefined, [], false],
]);

const providerCases = [
  ...conditionCases('domain.mx_providers.*.slug', [
    ['one of several is in the list', 'in', ['google', 'microsoft'], ['proofpoint', 'microsoft'], true],
    ['none is in the list', 'not_in', ['google', 'microsoft'], ['zoho'], true],
    ['an unrecognised set-up is known, and no provider', 'not_in', ['google'], [], true],
  ]),
  ...conditionCases('domain.mx_providers.*.type', [
    ['a security gateway among them', 'equals', 'security_gateway', ['mailbox', 'security_gateway'], true],
    ['no forwarding among them', 'not_equals', 'forwarding', ['mailbox'], true],
  ]),
  ...conditionCases('domain.mx_providers.*.grade', [
    ['an enterprise grade among them', 'equals', 'enterprise', ['basic', 'enterprise'], true],
    ['no enterprise grade among them', 'equals', 'enterprise', ['basic'], false],
  ]),
];

/** Conditions on lists. */
export const listCases: readonly GateCase[] = [...hostnameCases, ...providerCases];
