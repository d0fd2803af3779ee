import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { createMeter } from './meter.ts';

/** A stream that keeps what is written, and a clock that the test sets. */
function metered(isTTY: boolean, sizeBytes: number | null) {
  const written: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  let nowMs = 0;
  const before = { inputBytes: 0, records: 0 };
  const meter = createMeter(Object.assign(stream, { isTTY }), sizeBytes, before, () => nowMs);
  return {
    written,
    meter,
    at(ms: number, records: number, endByte: number) {
      nowMs = ms;
      meter.show(records, endByte);
    },
  };
}

describe('the progress of a bulk run', () => {
  it('without a terminal, the progress of a bulk run is a line every 10 seconds', () => {
    const { written, at } = metered(false, 1_000);
    at(2_000, 100, 10);
    at(10_000, 1_000, 250);
    at(19_999, 1_900, 400);
    at(20_000, 2_000, 500);
    assert.deepEqual(written, [
      '1,000 lines, 100 a second, 25 %, 30 s left\n',
      '2,000 lines, 100 a second, 50 %, 20 s left\n',
    ]);
  });

  it('without a terminal and of a pipe, the progress of a bulk run has neither share nor time left', () => {
    const { written, at, meter } = metered(false, null);
    at(10_000, 1_000, 250);
    meter[Symbol.dispose]();
    assert.deepEqual(written, ['1,000 lines, 100 a second\n']);
  });

  it('on a terminal, the progress of a bulk run is one line that is overwritten', () => {
    const { written, at, meter } = metered(true, 1_000);
    at(1_000, 100, 500);
    meter[Symbol.dispose]();
    assert.match(written.join(''), /^\r\[#{15} {15}\] 100 lines, 100 a second, 1 s left.*\n$/);
  });
});
