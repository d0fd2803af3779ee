import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildConsole } from '../../scripts/build-console.ts';
import { isConsoleBuilt } from '../../scripts/console-stamp.mjs';
import { root } from '../../scripts/test-files.ts';

const dist = join(root, 'console', 'dist');
const packedKilobytes = (file: string) => statSync(join(dist, `${file}.gz`)).size / 1024;

describe('the built console', () => {
  before(buildConsole);

  it('has a current stamp', () => assert.ok(isConsoleBuilt()));

  it('has every file compressed by gzip and Brotli, with the same content', () => {
    const files = globSync('**/*.{html,js,css,svg}', { cwd: dist });
    assert.ok(files.length > 10);
    for (const file of files) {
      const content = readFileSync(join(dist, file));
      assert.deepEqual(gunzipSync(readFileSync(join(dist, `${file}.gz`))), content, file);
      assert.deepEqual(brotliDecompressSync(readFileSync(join(dist, `${file}.br`))), content, file);
    }
  });

  it('names no other host and has no inline script or style', () => {
    const page = readFileSync(join(dist, 'index.html'), 'utf8');
    assert.doesNotMatch(page, /https?:|<style|<script(?![^>]* src=)|style=/);
  });

  it('stays within its size limits: 100 KB initially, 60 a chunk, 230 total', () => {
    const page = readFileSync(join(dist, 'index.html'), 'utf8');
    const first = [...page.matchAll(/(?:src|href)="\/console\/([^"]+\.js)"/g)].map(([, file = '']) =>
      packedKilobytes(file),
    );
    const all = new Map(globSync('assets/*.js', { cwd: dist }).map((file) => [file, packedKilobytes(file)]));
    const sum = (sizes: Iterable<number>) => [...sizes].reduce((total, size) => total + size, 0);
    assert.ok(sum(first) <= 100, `${sum(first)} KB to begin with`);
    const lazy = [...all].filter(([file]) => !page.includes(file));
    assert.deepEqual(
      lazy.filter(([, size]) => size > 60),
      [],
    );
    assert.ok(sum(all.values()) <= 230, `${sum(all.values())} KB in total`);
  });
});
