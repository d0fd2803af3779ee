import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as dnsPacket from 'dns-packet';
import fc from 'fast-check';
import { encodeQuestion, readResponse } from './dns-message.ts';
import type { Question } from './dns-question.ts';

const question: Question = { name: 'example.com', type: 'MX' };
const mx: dnsPacket.Answer = { type: 'MX', name: 'example.com', data: { preference: 5, exchange: 'mx.example.com' } };

function response(change: Partial<dnsPacket.Packet> = {}): Buffer {
  return dnsPacket.encode({
    type: 'response',
    id: 7,
    flags: dnsPacket.RECURSION_AVAILABLE,
    questions: [{ name: 'example.com', type: 'MX' }],
    answers: [mx],
    ...change,
  });
}

describe('a question', () => {
  it('a DNS question requests recursion and offers 1,232 bytes', () => {
    const packet = dnsPacket.decode(encodeQuestion(7, question, true));
    assert.equal(packet.id, 7);
    assert.equal(packet.flag_rd, true);
    assert.deepEqual(packet.questions, [{ name: 'example.com', type: 'MX', class: 'IN' }]);
    const [opt] = packet.additionals ?? [];
    assert.equal(opt?.type === 'OPT' && opt.udpPayloadSize, 1232);
  });

  it('a DNS question omits EDNS on request', () => {
    assert.deepEqual(dnsPacket.decode(encodeQuestion(7, question, false)).additionals, []);
  });
});

describe('a response', () => {
  it('a DNS response is read when id, question, type and class match, whatever the case of the name', () => {
    const read = readResponse(response({ questions: [{ name: 'eXaMple.COM', type: 'MX' }] }), 7, question);
    assert.equal(read?.rcode, 0);
    assert.equal(read?.answers.length, 1);
  });

  const strangers: [string, Buffer][] = [
    ['another id', response({ id: 8 })],
    ['a query', response({ type: 'query' })],
    ['another opcode', response({ flags: 2 << 11 })],
    ['another name', response({ questions: [{ name: 'example.org', type: 'MX' }] })],
    [
      'a name that only Unicode folds to the asked one',
      response({ questions: [{ name: 'example.\u212Aom', type: 'MX' }] }),
    ],
    ['another type', response({ questions: [{ name: 'example.com', type: 'TXT' }] })],
    ['another class', response({ questions: [{ name: 'example.com', type: 'MX', class: 'CH' }] })],
    ['no question', response({ questions: [] })],
    ['two questions', response({ questions: [question, question] })],
    ['a cut record', response().subarray(0, -3)],
    ['eleven bytes', response().subarray(0, 11)],
    ['more records than a thousand [D291]', response({ answers: Array.from({ length: 1001 }, () => mx) })],
  ];
  for (const [what, bytes] of strangers) {
    it(`a DNS response is not read from ${what}`, () => assert.equal(readResponse(bytes, 7, question), null));
  }

  it('a DNS response is not read when it states more records than it has', () => {
    const bytes = response();
    bytes.writeUInt16BE(900, 6);
    assert.equal(readResponse(bytes, 7, question), null);
  });

  it('a DNS response is not read when a record lies about its length', () => {
    const bytes = response();
    const lengthAt = bytes.length - 2 - 'mx.example.com'.length - 2 - 2;
    assert.equal(bytes.readUInt16BE(lengthAt), 2 + 'mx.example.com'.length + 2);
    bytes.writeUInt16BE(bytes.readUInt16BE(lengthAt) - 1, lengthAt);
    assert.equal(readResponse(bytes, 7, question), null);
  });

  it('a DNS response is not read when an owner hides a dot inside a label', () => {
    const bytes = response();
    const ownerAt = bytes.indexOf(Buffer.from('\x07example\x03com'), 13);
    // One label of eleven bytes, "example.com", in the place of two.
    bytes[ownerAt] = 11;
    bytes[ownerAt + 8] = 0x2e;
    assert.equal(dnsPacket.decode(bytes).answers?.[0]?.name, 'example.com');
    assert.equal(readResponse(bytes, 7, question), null);
  });

  it('a DNS response has no separator where a label of a mail host contains a dot', () => {
    const bytes = response({ answers: [mx, { ...mx, data: { preference: 6, exchange: 'mx2.example.com' } }] });
    const hostAt = bytes.indexOf(Buffer.from('\x02mx\x07example'));
    // One label, "mx.example", in the place of two.
    bytes[hostAt] = 10;
    bytes[hostAt + 3] = 0x2e;
    const hosts = readResponse(bytes, 7, question)?.answers.map((one) => one.type === 'MX' && one.data.exchange);
    assert.deepEqual(hosts, ['mx\\.example.com', 'mx2.example.com']);
  });

  it('a DNS response is not read when the target of an alias hides a dot inside a label', () => {
    const alias: dnsPacket.Answer = { type: 'CNAME', name: 'example.com', data: 'mx.example.com' };
    const bytes = response({ answers: [alias] });
    assert.equal(readResponse(bytes, 7, question)?.answers.length, 1);
    const targetAt = bytes.indexOf(Buffer.from('\x02mx\x07example'));
    bytes[targetAt] = 10;
    bytes[targetAt + 3] = 0x2e;
    assert.equal(readResponse(bytes, 7, question), null);
  });

  it('a DNS response is not read when names point in circles or forward', () => {
    const bytes = response({ answers: [] });
    bytes.writeUInt16BE(1, 6);
    for (const target of [bytes.length, bytes.length + 4]) {
      const record = Buffer.from([0xc0, target, 0, 15, 0, 1, 0, 0, 0, 0, 0, 0]);
      assert.equal(readResponse(Buffer.concat([bytes, record]), 7, question), null);
    }
  });

  it('a DNS response that is truncated carries no records, not even cut ones', () => {
    const read = readResponse(response({ flags: dnsPacket.TRUNCATED_RESPONSE }).subarray(0, -3), 7, question);
    assert.equal(read?.truncated, true);
    assert.deepEqual(read?.answers, []);
  });

  it('a DNS response may leave the question out when it says FORMERR', () => {
    assert.equal(readResponse(response({ questions: [], answers: [], flags: 1 }), 7, question)?.rcode, 1);
  });

  it('a DNS response has the upper bits of its code from EDNS, so that BADVERS is no success', () => {
    const opt: dnsPacket.OptAnswer = {
      type: 'OPT',
      name: '.',
      udpPayloadSize: 1232,
      extendedRcode: 1,
      ednsVersion: 0,
      flags: 0,
      flag_do: false,
      options: [],
    };
    assert.equal(readResponse(response({ additionals: [opt] }), 7, question)?.rcode, 16);
  });

  it('a DNS response is never read from random bytes, and reading them never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        assert.equal(readResponse(Buffer.from(bytes), 7, question)?.answers.length ?? 0, 0);
      }),
    );
  });

  it('a DNS response with any of its bytes changed is read or not, but never throws', () => {
    const whole = response({ answers: [mx, { type: 'TXT', name: 'example.com', data: ['a', 'b'] }] });
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), fc.nat(whole.length), (changes, length) => {
        const bytes = Buffer.from(whole.subarray(0, length));
        for (const [at, value] of changes) if (at < length) bytes[at] = value;
        const read = readResponse(bytes, 7, question);
        assert.ok(read === null || read.answers.length <= 2);
      }),
      { numRuns: 2_000 },
    );
  });
});
