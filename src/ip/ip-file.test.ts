import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../../test/engines.ts';
import { openIpFile } from './ip-file.ts';

const log = { info() {}, warn() {} };

describe('a file of IP data', () => {
  for (const [how, change] of [
    ['replaced', replace],
    ['written to', writeFileSync],
  ] as const) {
    it(`a file of IP data that is ${how} while it is read is not used, but read again`, async () => {
      const path = join(temporaryDirectory(), 'list.txt');
      writeFileSync(path, 'first');
      let whileReading = () => change(path, 'the second');
      const read = (bytes: Buffer) => {
        whileReading();
        whileReading = () => {};
        return { value: bytes.toString(), about: {} };
      };
      const file = openIpFile({ path, maxBytes: 1_000, read, log, now: Date.now });
      await file.refresh();
      assert.deepEqual([file.value, file.status().state], [null, 'absent']);
      // Once to see the change, once to see that it is over.
      await file.refresh();
      await file.refresh();
      assert.deepEqual([file.value, file.status().state], ['the second', 'used']);
    });
  }
});

function replace(path: string, content: string): void {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}
