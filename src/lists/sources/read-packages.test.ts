import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { packageFolder, readPackage } from './read-packages.ts';
import { packageSources } from './source-catalogue.ts';

describe('free-email-domains', () => {
  const source = packageSources.find(({ name }) => name === 'free-email-domains');
  assert.ok(source !== undefined);
  const names = new Set(readPackage(source).names);
  const edition = (name: string): string[] =>
    JSON.parse(readFileSync(join(packageFolder(name), 'domains.json'), 'utf8'));

  it('leaves out the mailbox services of its earlier edition and of its script', () => {
    const services = [...edition('free-email-domains-public'), 'kakao.com', 'posteo.eu'];
    assert.ok(edition(source.name).includes('kakao.com'));
    assert.deepEqual(
      services.filter((name) => names.has(name)),
      [],
    );
  });

  it('keeps the names of older editions that the newest one has dropped', () => {
    const newest = new Set(edition(source.name));
    const dropped = edition('free-email-domains-v1.9.93').filter((name) => !newest.has(name));
    assert.ok(dropped.length > 100);
    assert.ok(dropped.filter((name) => names.has(name)).length > 100);
  });
});
