import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { editionDate } from './package-dates.ts';

describe('the day of a package', () => {
  it('the day of a package is the one in its version, where there is one', () => {
    assert.equal(editionDate('@ip-location-db/asn', '2.3.2026061719'), '2026-06-17T00:00:00Z');
  });

  it('the day of a package is the recorded one otherwise, and unknown for an unrecorded version', () => {
    assert.match(editionDate('freemail', '1.7.0') ?? '', /^\d{4}-\d\d-\d\dT/);
    assert.equal(editionDate('freemail', '0.0.1'), null);
    assert.equal(editionDate('no-such-package', '1.0.0'), null);
  });
});
