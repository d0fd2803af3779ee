import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entriesCsv, pastedEntries } from './custom-lists.ts';

test('pasted lines are values, and pasted CSV has notes and expiry', () => {
  assert.deepEqual(pastedEntries(' a@example.com \r\n\nb@example.com').entries, [
    { value: 'a@example.com' },
    { value: 'b@example.com' },
  ]);
  assert.deepEqual(pastedEntries('Value;note;expires_at\n"a, ""b""";"Ticket\n2";\nc;;2099-01-01T00:00:00Z').entries, [
    { value: 'a, "b"', note: 'Ticket\n2' },
    { value: 'c', expires_at: '2099-01-01T00:00:00Z' },
  ]);
});

test('pasted CSV that cannot be read is reported with its line', () => {
  assert.deepEqual(pastedEntries('value,note\na,"b'), {
    entries: [],
    lines: [],
    problem: 'line 2, column 3: the quote that opens here is never closed',
  });
});

test('exported entries can be pasted again', () => {
  const entry = {
    value: 'a, "b"',
    note: ' =1+1\n"Ticket"',
    expires_at: '2099-01-01T00:00:00+00:00',
    created_at: 'now',
  };
  const csv = entriesCsv([entry]);
  const { created_at: _, ...pasted } = entry;
  assert.deepEqual(pastedEntries(csv), { entries: [pasted], lines: [2], problem: null });
  assert.match(entriesCsv([{ ...entry, value: '=1+1' }]), /\n'=1\+1,/);
});
