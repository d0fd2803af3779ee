import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { AppError, type ErrorCode, errorTable } from '../src/errors.ts';
import type { Family } from '../src/http/endpoint.ts';
import { errorAnswer } from '../src/http/error-shapes.ts';

const families: readonly Family[] = ['lookup', 'blocklist', 'gates', 'gates-v0'];
const document = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8');
const rows = [...document.matchAll(/^\| `(\w+)` \|(.*)\|$/gm)].map(([, code = '', cells = '']) => ({
  code: code as ErrorCode,
  cells: cells.split('|').map((cell) => cell.trim()),
}));

describe('docs/errors.md', () => {
  it('docs/errors.md has a row for every error code except one, which its prose explains', () => {
    const missing = Object.keys(errorTable).filter((code) => rows.every((row) => row.code !== code));
    assert.deepEqual(missing, ['headers_too_large']);
  });

  for (const { code, cells } of rows.filter((row) => row.cells.length === families.length + 1)) {
    it(`docs/errors.md quotes the status and the text that each family sends for ${code}`, () => {
      for (const [index, family] of families.entries()) {
        const [, status, text] = /^(\d{3})(?: `([^`]+)`)?/.exec(cells[index] ?? '') ?? [];
        // Codes that a family does not send, and those whose body another part of the page describes.
        if (status === undefined) continue;
        const { status: sent, body } = errorAnswer(new AppError(code), family, '');
        assert.equal(sent, Number(status), family);
        if (text !== undefined) assert.equal(family === 'blocklist' ? body.message : body.error, text, family);
      }
    });
  }

  for (const { code, cells } of rows.filter((row) => row.cells.length === 2)) {
    it(`docs/errors.md quotes the status that Gates v1 sends for ${code}`, () => {
      assert.equal(cells[0], String(errorAnswer(new AppError(code), 'gates', '').status));
    });
  }
});
