import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bodyFields, parameterFields } from './fields.ts';
import { html, prose } from './html.ts';
import type { Schema } from './open-api.ts';

const body: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 1200, description: 'Shown in `lists` & <pages>' },
    tags: {
      type: 'array',
      items: { type: 'object', properties: { inner: { type: ['integer', 'null'], minimum: 0 } } },
    },
    kind: { type: 'string', enum: ['a', 'b'], deprecated: true },
  },
};

describe('the fields of a body', () => {
  it('say which are required in a request, and which may be absent in a response', () => {
    assert.match(bodyFields(body, 'sent').text, /<code class="name">name<\/code>.*?required/);
    assert.doesNotMatch(bodyFields(body, 'sent').text, /may be absent/);
    assert.match(bodyFields(body, 'answered').text, /<code class="name">tags<\/code>.*?may be absent/);
  });

  it('have their types with bounds and values, and the fields of inner objects below them', () => {
    const { text } = bodyFields(body, 'answered');
    assert.match(text, /string; 1 to 1,200 characters/);
    assert.match(text, /array of objects/);
    assert.match(text, /<code class="name">inner<\/code> <span class="type">integer or null; at least 0/);
    assert.match(text, /string; &quot;a&quot;, &quot;b&quot;/);
    assert.match(text, /deprecated/);
  });

  it('escape their descriptions', () => {
    assert.match(bodyFields(body, 'sent').text, /Shown in <code>lists<\/code> &amp; &lt;pages&gt;/);
  });

  it('are nothing for a body without any', () => {
    assert.equal(bodyFields({ type: 'object' }, 'sent').text, '');
  });
});

describe('the parameters of an operation', () => {
  it('say where they are sent, and whether they must be', () => {
    const { text } = parameterFields([
      { name: 'gate_id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'limit', in: 'query', required: false, schema: { type: 'integer', maximum: 100 } },
    ]);
    assert.match(text, /gate_id.*?path, required/);
    assert.match(text, /integer; at most 100<\/span> <span class="note">query</);
  });
});

describe('a template of HTML', () => {
  it('escapes text, but not HTML, alone or in a list', () => {
    const { text } = html`<p title="${`"'`}">${'<b>'}${[html`<i>1</i>`, html`<i>2</i>`]}${3}</p>`;
    assert.equal(text, '<p title="&quot;&#39;">&lt;b&gt;<i>1</i><i>2</i>3</p>');
  });

  it('marks code between backticks, and escapes it', () => {
    assert.equal(prose('Send `<x>` now').text, 'Send <code>&lt;x&gt;</code> now');
  });
});
