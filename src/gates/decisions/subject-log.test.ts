import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eraserOf, type SubjectKind } from './subject-log.ts';

describe('erasing a subject from texts', () => {
  const cases: readonly (readonly [SubjectKind, string, string, string])[] = [
    ['email', 'Jane@Example.com', '"Block jane@example.com."', '"Block [erased]."'],
    ['email', 'j.ane+x@gmail.com', '["jane@gmail.com","j.ane+x@gmail.com"]', '["[erased]","[erased]"]'],
    ['email', 'jane@bücher.example', 'jane@xn--bcher-kva.example JANE@BÜCHER.example', '[erased] [erased]'],
    ['email', 'jane@example.com', 'mary.jane@example.com jane@example.com.au x-jane@example.com', ''],
    ['domain', 'example.com', '"a@example.com mail.EXAMPLE.com example.com"', '"a@[erased] mail.[erased] [erased]"'],
    ['domain', 'example.com', 'my-example.com example.community example.com.au', ''],
    ['ip', '192.0.2.1', '{"from":"192.0.2.1"}', '{"from":"[erased]"}'],
    ['ip', '192.0.2.1', '192.0.2.10 1192.0.2.1 192.0.2.1.5', ''],
    ['ip', '2001:DB8:0::1', '2001:db8::1', '[erased]'],
  ];
  for (const [kind, subject, text, expected] of cases)
    it(`the ${kind} ${subject} in ${text} ${expected === '' ? 'is another one and stays' : 'is replaced'}`, () =>
      assert.equal(eraserOf(kind, subject)(text), expected === '' ? text : expected));
});
