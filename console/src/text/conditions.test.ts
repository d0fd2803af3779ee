import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleCatalogue } from '../gate-editor/sample-catalogue.ts';
import { conditionText, ruleText, valueText } from './conditions.ts';

const age = { path: 'domain.age_days' };

describe('a condition as a sentence', () => {
  it('a condition as a sentence names field, operator and value with its unit', () => {
    assert.equal(
      conditionText({ field: age.path, operator: 'less_than', value: 30 }, sampleCatalogue),
      'Domain · Age is less than 30 days',
    );
    assert.equal(
      conditionText({ field: age.path, operator: 'between', value: [1, 1000] }, sampleCatalogue),
      'Domain · Age is between 1 and 1,000 days',
    );
  });

  it('a condition as a sentence without a value ends with the operator', () => {
    assert.equal(
      conditionText({ field: age.path, operator: 'is_unknown' }, sampleCatalogue),
      'Domain · Age is unknown',
    );
  });

  it('a condition as a sentence names an unlisted operator by its name', () => {
    assert.equal(conditionText({ field: age.path, operator: 'is_prime' }, sampleCatalogue), 'Domain · Age is prime');
  });

  it('a condition as a sentence names three values of a list and counts the rest', () => {
    const value = ['a', 'b', 'c', 'd', 'e'];
    assert.equal(
      conditionText({ field: 'domain.tld', operator: 'in', value }, sampleCatalogue),
      'domain · tld is one of a, b, c and 2 more',
    );
  });

  it('a condition as a sentence shows a missing value as dots', () => {
    assert.equal(
      conditionText({ field: 'domain.tld', operator: 'equals', value: '' }, sampleCatalogue),
      'domain · tld is …',
    );
  });

  it('a value in words is unknown only where it could not be determined, and an AS number is not grouped', () => {
    assert.equal(valueText(null, 'domain.mx'), 'unknown');
    assert.equal(valueText(null, 'email.subaddress'), 'none');
    assert.equal(valueText(null, 'domain.did_you_mean'), 'none');
    assert.equal(valueText(15169, 'ip.network.asn'), '15169');
    assert.equal(valueText(15169, 'domain.age_days'), '15,169');
  });

  it('a condition as a sentence is joined with the others by "and" or "or", as the rule matches', () => {
    const conditions = [
      { field: age.path, operator: 'is_known' },
      { field: 'domain.mx', operator: 'equals', value: false },
    ];
    assert.equal(
      ruleText({ match: 'all', conditions }, sampleCatalogue),
      'Domain · Age is known and domain · mx is no',
    );
    assert.equal(ruleText({ match: 'any', conditions }, sampleCatalogue), 'Domain · Age is known or domain · mx is no');
  });

  it('a condition as a sentence names the host of a pattern that matches it and the names below it', () => {
    const on = (value: string) => conditionText({ field: 'host', operator: 'matches', value });
    assert.equal(on('(^|\\.)blorpbox\\.example$'), 'host is blorpbox.example or below it');
    assert.equal(on('(^|\\.)blorp.ox\\.example$'), 'host matches (^|\\.)blorp.ox\\.example$');
  });
});
