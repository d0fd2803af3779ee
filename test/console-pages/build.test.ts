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

  it('is known as made from what is there now', () => assert.ok(isConsoleBuilt()));

  it('has every file packed by gzip and Brotli, with the same content', () => {
    const files = globSync('**/*.{html,js,css,svg}', { cwd: dist });
    assert.ok(files.length > 10);
    for (const file of files) {
      const content = readFileSync(join(dist, file));
      assert.deepEqual(gunzipSync(readFileSync(join(dist, `${file}.gz`))), content, file);
      assert.deepEqual(brotliDecompressSync(readFileSync(join(dist, `${file}.br`))), content, file);
    }
  });

  it('names no other host and has no script or style inside the page', () => {
    const page = readFileSync(join(dist, 'index.html'), 'utf8');
    assert.doesNotMatch(page, /https?:|<style|<script(?![^>]* src=)|style=/);
  });

  it('keeps to the sizes that were decided: 100 KB to begin with, 60 a part, 230 in all', () => {
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
    assert.ok(sum(all.values()) <= 230, `${sum(all.values())} KB in all`);
  });
});
