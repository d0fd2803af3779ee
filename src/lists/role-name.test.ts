import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isRoleName } from './role-name.ts';

const roles = {
  names: new Set([
    'hr',
    'helpdesk',
    'no-reply',
    'sales',
    'aide',
    'administracion',
    'buero',
    'geschaeftsfuehrung',
    'iletisim',
    '客服',
  ]),
  words: new Set(['customer', 'service', 'support', 'tech', 'hr', 'team']),
  places: new Set(['de', 'uk']),
};

describe('a role name', () => {
  const cases: readonly [string, boolean, string][] = [
    ['sales', true, 'is the whole local part'],
    ['Sales+spring', true, 'is what stands before a tag, whatever its case'],
    ['no-reply', true, 'may hold a separator itself'],
    ['help-desk', true, 'may be written in parts that are one word together'],
    ['customer_service', true, 'may be made of words of functions'],
    ['tech.support-de', true, 'may name a place beside its words'],
    ['h.r', false, 'is not a person with two initials'],
    ['s.ales', false, 'is not an initial and a surname'],
    ['jane.support', false, 'is not a person with a function'],
    ['de.uk', false, 'is not made of places alone'],
    ['customer', false, 'is not a word that needs another one'],
    ['.support', false, 'is not a part beside nothing'],
    ['Administración', true, 'may have accents'],
    ['administracio\u0301n', true, 'may have accents of their own'],
    ['Geschäftsführung', true, 'may have umlauts that are listed as two letters'],
    ['İletişim', true, 'may have Turkish letters'],
    ['客服', true, 'may be in native script'],
    ['客户', false, 'is not another word in that script'],
    ['aidé', false, 'is not a short name with an accent'],
    ['zoë.hr', false, 'is not a person with accents'],
    ['-', false, 'is not a separator'],
  ];
  for (const [localPart, isRole, what] of cases) {
    it(`a role name: ${what}: ${localPart}`, () => assert.equal(isRoleName(roles, localPart), isRole));
  }
});
