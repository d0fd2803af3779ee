import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signalsFromFields } from '../../../test/gates/signals-from-fields.ts';
import { createFieldValues, valueAt } from './field-values.ts';
import { type Field, type FieldDescription, fieldCatalogue, fieldGroups, fields, findField } from './fields.ts';
import type { DecisionSignals } from './signals.ts';

const documented = `
email.address email.normalized email.local_part email.local_part_length email.subaddress email.disposable
email.role_account domain.name domain.registrable domain.tld domain.sld domain.subdomain domain.domain_authority
domain.tld_trust domain.age_days domain.mx domain.mx_records.*.hostname domain.mx_providers.*.slug
domain.mx_providers.*.type domain.mx_providers.*.grade domain.spf domain.dmarc domain.disposable
domain.disposable_provider domain.public_domain domain.relay_domain domain.free_subdomain domain.spam
domain.did_you_mean domain.blocklisted ip.address ip.abuse.detected ip.anonymity.proxy.detected
ip.anonymity.relay.detected ip.anonymity.tor.detected ip.anonymity.vpn.detected ip.hosting.detected ip.geo.country
ip.geo.country_code ip.geo.continent ip.geo.continent_code ip.geo.city ip.network.asn ip.network.aso
ip.network.domain ip.network.type traffic.address.decisions_1h traffic.address.decisions_24h
traffic.address.spellings_24h traffic.domain.addresses_1h traffic.domain.addresses_24h traffic.domain.first_seen_days
traffic.mail_server.addresses_1h traffic.mail_server.addresses_24h traffic.mail_server.domains_24h
traffic.ip.addresses_1h traffic.ip.addresses_24h traffic.network.addresses_1h traffic.network.addresses_24h
traffic.device.addresses_1h traffic.device.addresses_24h traffic.in_wave`
  .trim()
  .split(/\s+/);

function read(field: Field, signals: DecisionSignals): unknown {
  const values = createFieldValues();
  const place = values.placeOf(field, true);
  return valueAt(values.take(signals), place);
}

const samples = { boolean: true, integer: 424242, string: 'a sample', 'string[]': ['first', 'second'] } as const;

describe('the field catalogue', () => {
  it('the field catalogue has exactly the documented fields [D201]', () => {
    assert.deepEqual(
      fieldCatalogue()
        .map(({ path }) => path)
        .sort(),
      [...documented].sort(),
    );
  });

  it('the field catalogue gives lists to paths with *, and to no other', () => {
    for (const { path, type } of fieldCatalogue()) assert.equal(type === 'string[]', path.includes('*'), path);
  });

  it('the field catalogue describes every field and gives it its operators', () => {
    for (const entry of fieldCatalogue()) {
      assert.ok(entry.description.length > 10, entry.path);
      assert.deepEqual(entry.operators.slice(-2), ['is_known', 'is_unknown'], entry.path);
    }
    assert.deepEqual(fieldCatalogue().find(({ path }) => path === 'domain.mx')?.operators, [
      'equals',
      'is_known',
      'is_unknown',
    ]);
  });

  it('the field catalogue names every field once under a heading of its subject, and every heading has some', () => {
    const catalogue = fieldCatalogue();
    const names = catalogue.map(({ group, label }) => `${group}: ${label}`);
    assert.equal(new Set(names).size, names.length);
    for (const { path, label, group } of catalogue) {
      assert.match(label, /^[A-Z]/, path);
      assert.equal(group.toLowerCase().startsWith(path.split('.')[0] ?? '?'), true, path);
    }
    assert.deepEqual(new Set(catalogue.map(({ group }) => group)), new Set(fieldGroups));
  });

  it('the field catalogue gives the values, units and bounds that a field has, and no others', () => {
    const entry = (path: string) => {
      const {
        operators: _operators,
        description: _description,
        ...rest
      } = fieldCatalogue().find((one) => one.path === path) as FieldDescription;
      return rest;
    };
    assert.deepEqual(entry('domain.age_days'), {
      path: 'domain.age_days',
      type: 'integer',
      label: 'Age',
      group: 'Domain · standing',
      unit: 'days',
      minimum: 0,
    });
    assert.deepEqual(entry('domain.dmarc').values, ['reject', 'quarantine', 'none', 'missing', 'invalid']);
    assert.deepEqual(entry('domain.mx_providers.*.grade').values, ['enterprise', 'professional', 'standard', 'basic']);
    assert.deepEqual([entry('domain.tld_trust').minimum, entry('domain.tld_trust').maximum], [1, 5]);
    assert.deepEqual(Object.keys(entry('domain.mx')), ['path', 'type', 'label', 'group']);
  });

  it('the field catalogue finds a field by its path only', () => {
    assert.equal(findField('domain.mx')?.path, 'domain.mx');
    for (const path of ['domain', 'domain.MX', 'constructor', '__proto__', ''])
      assert.equal(findField(path), undefined);
  });

  for (const field of fields) {
    it(`the field catalogue reads ${field.path}`, () => {
      assert.deepEqual(read(field, signalsFromFields({ [field.path]: samples[field.type] })), samples[field.type]);
    });
  }

  it('the field catalogue reads each field from a place of its own', () => {
    const distinct = fields.filter(({ type }) => type === 'string' || type === 'integer');
    const values = distinct.map(({ path, type }, index) => [path, type === 'string' ? path : index] as const);
    const signals = signalsFromFields(Object.fromEntries(values));
    for (const [path, value] of values) {
      const field = findField(path);
      assert.ok(field);
      assert.equal(read(field, signals), value);
    }
    for (const flag of fields.filter(({ type }) => type === 'boolean')) {
      const known = signalsFromFields({ 'email.local_part': 'jane', 'ip.address': '192.0.2.1', [flag.path]: true });
      const trueOnes = fields.filter((field) => read(field, known) === true);
      assert.deepEqual(trueOnes, [flag]);
    }
  });

  it('the field catalogue knows no email.* of a domain and no ip.* without an ip [D202]', () => {
    const signals = signalsFromFields({ 'domain.mx': true });
    for (const field of fields) {
      if (!field.path.startsWith('domain.')) assert.equal(read(field, signals), null, field.path);
    }
  });

  it('the field catalogue reads a list again for other signals', () => {
    const field = findField('domain.mx_records.*.hostname');
    assert.ok(field?.type === 'string[]');
    const values = createFieldValues();
    const place = values.placeOf(field, true);
    const reader = (signals: DecisionSignals): unknown => valueAt(values.take(signals), place);
    const first = signalsFromFields({ [field.path]: ['a.example'] });
    assert.deepEqual(reader(first), ['a.example']);
    assert.deepEqual(reader(signalsFromFields({ [field.path]: ['b.example'] })), ['b.example']);
    assert.equal(reader(signalsFromFields({})), null);
    assert.deepEqual(reader(first), ['a.example']);
  });
});
