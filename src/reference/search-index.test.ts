import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Call } from './open-api.ts';
import { callSample, codeBlock, decisionSample, exampleUrl } from './sample.ts';
import { searchIndex } from './search-index.ts';

const json = (properties: object, example?: unknown) => ({
  content: { 'application/json': { schema: { type: 'object', properties }, ...(example ? { example } : {}) } },
});

const decide = {
  method: 'POST',
  path: '/v1/gates/{gate_id}/decisions',
  operation: {
    operationId: 'decide',
    tags: ['Gates'],
    summary: 'Decide about an address',
    parameters: [{ name: 'gate_id', in: 'path', required: true, schema: { type: 'string' }, example: 'g1' }],
    requestBody: json({ email: { type: 'string' } }, { email: "o'neil@example.com" }),
    responses: {
      200: json({ meta: { type: 'object', properties: { decision_id: { type: 'string' } } } }),
      422: json({ only_in_errors: { type: 'string' } }),
    },
  },
} as unknown as Call;

const other = { ...decide, operation: { ...decide.operation, operationId: 'other' } };

describe('the search index of the reference', () => {
  const guides = { start: { title: 'Start', html: '', headings: [{ id: 'first', text: 'First steps' }] } } as never;
  const index = searchIndex(new Map([['Gates', [decide]]]), guides);

  it('finds an operation by its summary, its route, its parameters and the fields of its bodies', () => {
    const [found] = index;
    assert.deepEqual(
      [found?.title, found?.hint, found?.href],
      ['Decide about an address', 'POST /v1/gates/{gate_id}/decisions', 'docs#decide'],
    );
    assert.equal(found?.words, 'decide gate_id email meta decision_id');
  });

  it('finds guides and their headings', () => {
    assert.deepEqual(
      index.slice(1).map(({ title, hint, href }) => [title, hint, href]),
      [
        ['Start', 'Guide', 'docs/start'],
        ['First steps', 'Start', 'docs/start#first'],
      ],
    );
  });
});

describe('the sample of an operation', () => {
  it('is a call with curl, with the example values in path and body', () => {
    const { text } = callSample(decide);
    assert.match(text, new RegExp(`${exampleUrl}/v1/gates/g1/decisions`));
    assert.match(text, /data-call="\{&quot;method&quot;:&quot;POST&quot;/);
    assert.doesNotMatch(text, /<code>[^<]*o'neil/);
  });

  it('is a sign-up form for the operation that decides, and nothing for others', () => {
    assert.match(decisionSample(decide).text, /In a sign-up form/);
    assert.equal(decisionSample(other).text, '');
  });

  it('can be scrolled with the keyboard, and escapes its text', () => {
    assert.equal(
      codeBlock('<a>', 'A "label"').text,
      '<div class="code"><pre tabindex="0" role="region" aria-label="A &quot;label&quot;"><code>&lt;a&gt;</code></pre></div>',
    );
  });
});
