import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { type EndedTest, idsInName } from './conformance-rules.ts';
import { root } from './test-files.ts';

/** A reporter of node:test: a line of JSON for every test that ended and carries ids of rules, and for every skipped test. */
export default async function* conformanceReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const isSkipped = data.skip !== undefined || data.todo !== undefined;
    const isHolding = data.details.type !== 'suite' && idsInName(data.name).length > 0;
    if (data.file === undefined || !(isSkipped || isHolding)) continue;
    const outcome = type === 'test:fail' ? 'failed' : isSkipped ? 'skipped' : 'passed';
    yield `${JSON.stringify({ file: relative(root, data.file), name: data.name, outcome } satisfies EndedTest)}\n`;
  }
}
