import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../../test/engines.ts';
import { runInChild } from './child-process.ts';

const answering = new URL('./child-process.ts', import.meta.url).href;

/** A module that does this work for each order. */
function moduleOf(work: string): string {
  const path = join(temporaryDirectory(), 'work.mjs');
  writeFileSync(path, `import { answerParent } from ${JSON.stringify(answering)};\nanswerParent(${work});\n`);
  return path;
}

describe('work in a process of its own', () => {
  it('is answered after its progress, with values that JSON has not', async () => {
    const work = moduleOf('({ numbers }, report) => { report(1); report(2); return new Set(numbers); }');
    const reported: number[] = [];
    const answer = await runInChild<Set<number>, number>(
      work,
      { numbers: [1, 2] },
      { onProgress: (progress) => reported.push(progress) },
    );
    assert.deepEqual([answer, reported], [new Set([1, 2]), [1, 2]]);
  });

  it('rejects with the message of an error', async () => {
    await assert.rejects(runInChild(moduleOf('() => { throw new Error("no space"); }'), {}), /^Error: no space$/);
  });

  it('rejects when the process ends without an answer', async () => {
    await assert.rejects(runInChild(moduleOf('() => process.exit(3)'), {}), /the process ended with 3/);
  });

  it('rejects when it is aborted', async () => {
    const ended = new AbortController();
    const running = runInChild(
      moduleOf('(_, report) => { report(1); return new Promise(() => {}); }'),
      {},
      {
        signal: ended.signal,
        onProgress: () => ended.abort(),
      },
    );
    await assert.rejects(running, { name: 'AbortError' });
  });
});
