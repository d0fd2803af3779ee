import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isLater, release, releaseChangelog } from '../../scripts/release.ts';
import { root } from '../../scripts/test-files.ts';
import { temporaryDirectory } from '../engines.ts';

const changelog = '# Changelog\n\n## Unreleased\n\n### Added\n\n- Something.\n\n## 0.1.0\n\nThe first version.\n';

describe('a dry run of a release', () => {
  const folder = temporaryDirectory();
  const checkout = join(folder, 'checkout');
  const asked = { checkout, version: '99.1.0', day: '2026-11-17', out: join(folder, 'out'), write: false, quick: true };
  const git = (...parameters: string[]): string => execFileSync('git', parameters, { cwd: checkout, encoding: 'utf8' });
  before(() => {
    for (const path of ['CHANGELOG.md', 'LICENSE', 'README.md', 'deploy', 'package.json', 'package-lock.json', 'sdk']) {
      cpSync(join(root, path), join(checkout, path), { recursive: true });
    }
    writeFileSync(join(checkout, 'CHANGELOG.md'), changelog);
    git('init', '--quiet');
    git('add', '--all');
    git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message', 'All');
  });
  after(() => rmSync(folder, { recursive: true }));

  it('a dry run of a release writes packages, SBOM, notes and checksums, and leaves the checkout as it is', () => {
    release(asked);
    const read = (name: string): string => readFileSync(join(asked.out, name), 'utf8');
    const files = [
      'RELEASE-NOTES.md',
      'SHA256SUMS',
      'signalpost-99.1.0.cdx.json',
      'signalpost-99.1.0.tgz',
      'signalpost-client-99.1.0.tgz',
    ];
    assert.deepEqual(readdirSync(asked.out).sort(), files);
    assert.equal(read('RELEASE-NOTES.md'), '## 99.1.0 - 2026-11-17\n\n### Added\n\n- Something.\n');
    const sums = files
      .filter((file) => file !== 'SHA256SUMS')
      .map(
        (file) =>
          `${createHash('sha256')
            .update(readFileSync(join(asked.out, file)))
            .digest('hex')}  ${file}\n`,
      );
    assert.equal(read('SHA256SUMS'), sums.join(''));
    const { bomFormat, metadata, components } = JSON.parse(read('signalpost-99.1.0.cdx.json'));
    assert.deepEqual(
      [bomFormat, metadata.component.name, metadata.component.version],
      ['CycloneDX', 'signalpost', '99.1.0'],
    );
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    const installed = Object.entries<{ version: string; dev?: boolean }>(packages)
      .filter(([path, { dev }]) => path !== '' && dev !== true)
      .map(([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`);
    const named = components.map(({ name, version }: Record<string, string>) => `${name}@${version}`);
    assert.deepEqual(named.sort(), [...new Set(installed)].sort());
    const chart = ['-xzOf', join(asked.out, 'signalpost-99.1.0.tgz'), 'package/deploy/helm/signalpost/Chart.yaml'];
    assert.match(execFileSync('tar', chart, { encoding: 'utf8' }), /^version: 99\.1\.0$/m);
    assert.equal(git('status', '--porcelain'), '');
  });

  it('a release is rejected when its files exist, its version is not later, or the checkout has changes', () => {
    const out = join(folder, 'refused');
    assert.throws(() => release(asked), /has files/);
    assert.throws(() => release({ ...asked, out, version: '0.0.9' }), /0\.0\.9 is not a version after/);
    assert.throws(() => release({ ...asked, out, write: true }), /--quick is for dry runs/);
    writeFileSync(join(checkout, 'new.txt'), '');
    assert.throws(() => release({ ...asked, out }), /has changes/);
    assert.equal(existsSync(out), false);
  });
});

describe('the parts of a release', () => {
  it('the changelog keeps an empty section for the next changes, and is rejected without changes', () => {
    const { changelog: released } = releaseChangelog(changelog, '1.0.0', '2026-11-17');
    assert.match(
      released,
      /^# Changelog\n\n## Unreleased\n\n## 1\.0\.0 - 2026-11-17\n\n### Added\n\n- Something\.\n\n## 0\.1\.0\n/,
    );
    assert.throws(() => releaseChangelog(released, '1.0.1', '2026-11-18'), /no unreleased changes/);
  });

  it('a version is later when its first differing number is larger', () => {
    const later = ['0.1.1', '0.2.0', '0.10.0', '1.0.0'].filter((version) => isLater(version, '0.1.0'));
    assert.deepEqual(later, ['0.1.1', '0.2.0', '0.10.0', '1.0.0']);
    assert.deepEqual(
      ['0.1.0', '0.0.9', '1.0', 'v1.0.0', '01.0.0', ''].filter((version) => isLater(version, '0.1.0')),
      [],
    );
  });
});
