import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readRegistrationEvent } from './rdap-event.ts';

const nowMs = Date.UTC(2026, 10, 15);
const read = (document: unknown) => readRegistrationEvent(Buffer.from(JSON.stringify(document)), nowMs);
const event = (eventAction: unknown, eventDate: unknown) => ({ eventAction, eventDate });

describe('the registration event', () => {
  it('the RDAP registration event is found among others, whatever its case', () => {
    const events = [event('expiration', '2030-01-01T00:00:00Z'), event('Registration', '1997-09-15T04:00:00Z')];
    assert.equal(read({ events }), Date.UTC(1997, 8, 15, 4));
  });

  it('the RDAP registration event keeps its offset', () => {
    assert.equal(read({ events: [event('registration', '2001-01-01T02:00:00+02:00')] }), Date.UTC(2001, 0, 1));
  });

  for (const date of ['1984-12-31T23:59:59Z', '2026-11-17T00:00:00Z', '1', 'yesterday', '2001-13-01', '', null, 5]) {
    it(`the RDAP registration event with the date ${JSON.stringify(date)} does not count`, () => {
      assert.equal(read({ events: [event('registration', date)] }), null);
    });
  }

  it('the RDAP registration event may be absent', () => {
    assert.equal(read({}), null);
    assert.equal(read({ events: [] }), null);
    assert.equal(read({ events: [null, 5, 'x', {}, { eventAction: 'registration' }, event(7, '2001-01-01')] }), null);
  });

  for (const document of [[], 'text', 5, null, { events: 'none' }, { events: {} }]) {
    it(`the RDAP registration event cannot be read from ${JSON.stringify(document)}`, () =>
      assert.equal(read(document), 'broken'));
  }

  it('the RDAP registration event is never read from bytes that are not JSON, and nothing throws', () => {
    assert.equal(readRegistrationEvent(Buffer.from('<html>'), nowMs), 'broken');
    fc.assert(fc.property(fc.uint8Array(), (bytes) => typeof readRegistrationEvent(bytes, nowMs) !== 'number'));
  });
});
