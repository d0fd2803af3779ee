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

  it('has its own fonts, at most 70 KB of them, preloaded, with their licence', () => {
    const page = readFileSync(join(dist, 'index.html'), 'utf8');
    const fonts = globSync('assets/*.woff2', { cwd: dist });
    assert.equal(fonts.length, 2);
    for (const font of fonts) assert.match(page, new RegExp(`rel="preload" as="font"[^>]+${font}`));
    assert.ok(fonts.reduce((sum, font) => sum + statSync(join(dist, font)).size, 0) <= 70_000);
    const licences = readFileSync(join(dist, 'licences.txt'), 'utf8');
    for (const name of ['@fontsource-variable/inter', '@fontsource/ibm-plex-mono', 'react-dom'])
      assert.match(licences, new RegExp(`^${name} \\d`, 'm'));
  });

  it('takes type sizes and spacing from the tokens', () => {
    const styles = globSync('src/**/*.module.css', { cwd: join(root, 'console') });
    for (const file of styles) {
      const text = readFileSync(join(root, 'console', file), 'utf8');
      assert.doesNotMatch(
        text,
        /font-size: \d|line-height: \d+px|font:[^;]*\dpx|(gap|padding|margin): (4|8|12|16)px;/,
        file,
      );
    }
  });

  it('stays within its size limits: 100 KB initially, 60 a chunk, 260 total', () => {
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
    assert.ok(sum(all.values()) <= 260, `${sum(all.values())} KB in total`);
  });
});
