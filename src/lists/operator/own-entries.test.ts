import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeEngines } from '../../../test/engines.ts';
import { someOperator as by } from '../../../test/lists/operator-entries.ts';
import { type Db, openDatabase } from '../../db/db.ts';
import { createOperatorEntriesStore } from './operator-entries-store.ts';
import { createOwnEntries } from './own-entries.ts';

const ownEntries = (db: Db, changed?: () => Promise<void>) =>
  createOwnEntries(createOperatorEntriesStore(db), () => 1, changed);

await describeEngines("the operator's own entries", (fresh) => {
  it("the operator's own entries are accepted in any form and stored in one", async () => {
    const db = await openDatabase(await fresh());
    const entries = ownEntries(db);
    const values = ['Bad.Example.COM.', 'müll.example', 'bad.example.com'];
    assert.deepEqual(await entries.change('add', 'disposable', values, by), {
      changed: ['bad.example.com', 'xn--mll-hoa.example'],
      unchanged: [],
    });
    assert.deepEqual(await entries.of('disposable'), ['bad.example.com', 'xn--mll-hoa.example']);
    assert.deepEqual(await entries.change('remove', 'disposable', ['MÜLL.example', 'absent.com'], by), {
      changed: ['xn--mll-hoa.example'],
      unchanged: ['absent.com'],
    });
    assert.deepEqual(await entries.of('disposable'), ['bad.example.com']);
    await db.close();
  });

  it("the operator's own entries change all together or, when one value is wrong, not at all", async () => {
    const db = await openDatabase(await fresh());
    const entries = ownEntries(db);
    assert.deepEqual(await entries.change('add', 'spam', ['no name', 'duckdns.org', 'fine.com'], by), {
      problems: [
        { text: 'no name', reason: 'not a domain name' },
        { text: 'duckdns.org', reason: 'a public suffix: strangers register under it' },
      ],
    });
    assert.deepEqual(await entries.of('spam'), []);
    await db.close();
  });

  it("the operator's own entries report a change only when there is one, and the audit trail names it", async () => {
    const db = await openDatabase(await fresh());
    let announced = 0;
    const entries = ownEntries(db, async () => {
      announced += 1;
    });
    await entries.change('add', 'relay', ['a.com'], by);
    await entries.change('add', 'relay', ['a.com'], by);
    await entries.change('remove', 'relay', ['b.com'], by);
    assert.equal(announced, 1);
    const trail = await db.read.selectFrom('audit').select(['action', 'subject', 'detail']).execute();
    assert.deepEqual(trail, [{ action: 'list.added', subject: 'relay', detail: '{"count":1,"entries":["a.com"]}' }]);
    const changes = await db.read.selectFrom('changes').select(['topic', 'scope', 'revision']).execute();
    assert.deepEqual(changes, [{ topic: 'operator-entries', scope: 'relay', revision: 1 }]);
    await db.close();
  });

  it("the operator's own entries lose nothing when many writers change a list concurrently", async () => {
    const db = await openDatabase(await fresh());
    const entries = ownEntries(db);
    const names = Array.from({ length: 1_200 }, (_, index) => `name${index}.com`).sort();
    await Promise.all(
      Array.from({ length: 4 }, (_, part) =>
        entries.change(
          'add',
          'relay',
          names.filter((_name, index) => index % 4 === part),
          by,
        ),
      ),
    );
    assert.deepEqual(await entries.of('relay'), names);
    assert.deepEqual(await entries.change('remove', 'relay', names, by), { changed: names, unchanged: [] });
    await db.close();
  });
});
