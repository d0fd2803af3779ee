import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namingSources, sourceAbout, sources } from '../../console/src/text/sources.ts';
import catalogue from '../../data/refresh-sources.json' with { type: 'json' };
import { allSources, referencePackages, rolePackage } from '../../src/lists/sources/source-catalogue.ts';

test('the console has a line about every source and download, and about nothing else', () => {
  const known = [
    ...allSources.map(({ name }) => name),
    ...referencePackages,
    rolePackage.name,
    'data/roles.json',
    ...catalogue.entries.map(({ name }) => name),
    'operator',
    'dns',
  ];
  assert.deepEqual(Object.keys(sources).sort(), [...new Set(known)].sort());
  for (const name of known) assert.match(sourceAbout(name), /^[A-Z].+\.$/, name);
});

test('the log can be filtered by every source that names domains', () => {
  const naming = allSources.filter(({ kind }) => kind !== 'known' && kind !== 'tld').map(({ name }) => name);
  assert.deepEqual([...namingSources].sort(), ['operator', ...naming].sort());
});
