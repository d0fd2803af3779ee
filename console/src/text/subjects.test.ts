import assert from 'node:assert/strict';
import { it } from 'node:test';
import { kindOfSubject } from './subjects.ts';

it('recognises a pasted address, domain, IP address or decision id', () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ['joe@mailinator.com', 'email'],
    ['jörg@bücher.example', 'email'],
    ['mailinator.com', 'domain'],
    ['bücher.example', 'domain'],
    ['203.0.113.7', 'ip'],
    ['2001:db8::1', 'ip'],
    ['01KA1B2C3D4E5F6G7H8J9K0M1N', 'decision'],
    ['01ka1b2c3d4e5f6g7h8j9k0m1n', 'decision'],
    ['joe', null],
    ['joe@', null],
    ['https://example.com/', null],
    ['', null],
  ];
  for (const [text, kind] of cases) assert.equal(kindOfSubject(text), kind, text);
});
