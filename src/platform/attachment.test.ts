import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Attachable, createAttachment } from './attachment.ts';

describe('createAttachment', () => {
  it('keeps the last value of each kind, per object', () => {
    const [text, number] = [createAttachment<string>(), createAttachment<number>()];
    const owner = new Attachable();
    assert.equal(text.of(owner), undefined);
    text.put(owner, 'before');
    text.put(owner, 'after');
    number.put(owner, 7);
    assert.deepEqual([text.of(owner), number.of(owner), text.of(new Attachable())], ['after', 7, undefined]);
  });

  it('hides values from copies and from other code', () => {
    const attachment = createAttachment<string>();
    const owner = new Attachable();
    attachment.put(owner, 'value');
    assert.equal(attachment.of({ ...owner }), undefined);
    assert.deepEqual(Reflect.ownKeys(owner), []);
  });

  it('ignores values put on an object that is not attachable', () => {
    const attachment = createAttachment<string>();
    const object = {};
    attachment.put(object, 'value');
    assert.equal(attachment.of(object), undefined);
  });
});
