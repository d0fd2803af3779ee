import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entriesCsv, pastedEntries } from './custom-lists.ts';

test('pasted lines are values, and pasted CSV has notes and expiry', () => {
  assert.deepEqual(pastedEntries(' a@example.com \r\n\nb@example.com'), [
    { value: 'a@example.com' },
    { value: 'b@example.com' },
  ]);
  assert.deepEqual(pastedEntries('Value,note,expires_at\n"a, ""b""",Ticket,\nc,,2099-01-01T00:00:00Z'), [
    { value: 'a, "b"', note: 'Ticket' },
    { value: 'c', expires_at: '2099-01-01T00:00:00Z' },
  ]);
});

test('exported entries can be pasted again', () => {
  const entry = { value: 'a, "b"', note: 'Ticket', expires_at: '2099-01-01T00:00:00+00:00', created_at: 'now' };
  const csv = entriesCsv([entry]);
  assert.deepEqual(pastedEntries(csv), [{ value: entry.value, note: entry.note, expires_at: entry.expires_at }]);
  assert.match(entriesCsv([{ ...entry, value: '=1+1' }]), /\n'=1\+1,/);
});
