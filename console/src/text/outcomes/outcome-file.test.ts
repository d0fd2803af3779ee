import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readOutcomeFile } from './outcome-file.ts';

const id = '01KA1B2C3D4E5F6G7H8J9K0M1N';

describe('a file of outcomes', () => {
  it('a file of outcomes with a heading is read by its column names', () => {
    assert.deepEqual(readOutcomeFile('Name;E-Mail Address;Result;Note\nJoe;joe@example.com;bad;chargeback\n', 'good'), {
      subjectColumn: 'E-Mail Address',
      outcomeColumn: 'Result',
      items: [{ line: 2, item: { email: 'joe@example.com', outcome: 'bad', reason: 'chargeback' } }],
      wrong: [],
    });
  });

  it('a file of outcomes without a heading gets the chosen outcome for every line', () => {
    assert.deepEqual(readOutcomeFile(`joe@example.com\n${id}\n`, 'bad'), {
      subjectColumn: null,
      outcomeColumn: null,
      items: [
        { line: 1, item: { email: 'joe@example.com', outcome: 'bad' } },
        { line: 2, item: { decision_id: id, outcome: 'bad' } },
      ],
      wrong: [],
    });
  });

  it('a file of outcomes names the lines that are no outcome, and reads the others', () => {
    const read = readOutcomeFile(
      'email,outcome\nnot an address,bad\njoe@example.com,maybe\nann@example.com,good\n',
      'bad',
    );
    assert.ok(typeof read !== 'string');
    assert.deepEqual(
      read.wrong.map(({ line, problem }) => `${line}: ${problem}`),
      ['2: neither an address nor a decision id', '3: the outcome is neither good nor bad'],
    );
    assert.equal(read.items.length, 1);
  });

  it('a file of outcomes without a column of addresses is refused with a reason', () => {
    assert.match(String(readOutcomeFile('name,city\nJoe,Paris\n', 'bad')), /names no column/);
    assert.match(String(readOutcomeFile('', 'bad')), /empty/);
  });
});
