import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../scripts/test-files.ts';

describe('the production dependencies in package-lock.json', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; hasInstallScript?: boolean }>;
  };

  it('the production dependencies have no install scripts', () => {
    const production = Object.entries(packages).filter(([, { dev }]) => dev !== true);
    assert.ok(production.length > 20, 'the lock file has another layout');
    const withScript = production.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
    assert.deepEqual(withScript, []);
  });
});
