import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { temporaryDirectory } from '../../test/engines.ts';
import { jsonInProcess, runInProcess } from '../../test/run-in-process.ts';

interface Lists {
  readonly lists: readonly { readonly id: string; readonly name: string; readonly entries_count: number }[];
}
interface Entries {
  readonly entries: readonly {
    readonly value: string;
    readonly note: string | null;
    readonly created_at: string;
  }[];
}
interface Document {
  readonly gates: readonly {
    readonly name: string;
    readonly rules: readonly { readonly conditions: readonly { value: string }[] }[];
  }[];
  readonly lists: readonly { readonly id: string; readonly name: string; readonly entries: readonly object[] }[];
}

const withoutTime = ({ created_at: _, ...entry }: Entries['entries'][number]) => entry;

describe('signalpost custom-lists', () => {
  const env = { DATA_DIR: temporaryDirectory() };
  let account: string;
  before(async () => {
    const create = ['accounts', 'create', '--name', 'A', '--email', 'a@a.example', '--plan', 'self-hosted'];
    account = (await jsonInProcess<{ id: string }>(create, env)).id;
  });
  const words = (command: string, environment: string, ...more: string[]) => [
    ...command.split(' '),
    '--account',
    account,
    '--environment',
    environment,
    ...more,
  ];
  const importInto = (environment: string, text: string | Uint8Array, ...more: string[]) =>
    runInProcess(words('custom-lists import', environment, ...more), env, text);
  const entriesOf = (environment: string, list: string) =>
    jsonInProcess<Entries>(words('custom-lists export', environment, '--list', list), env);
  const listsOf = async (environment: string) =>
    (await jsonInProcess<Lists>(words('custom-lists list', environment), env)).lists;
  const gateOn = (listId: string) => ({
    name: 'Gate',
    rules: [
      {
        name: 'Customers',
        action: 'allow',
        conditions: [{ field: 'email.address', operator: 'in_list', value: listId }],
      },
    ],
  });

  it('imports CSV and lines, names wrong lines, and exports what it can import again', async () => {
    const csv =
      'Note,VALUE,expires_at\n"Ticket, 1",Jane@Example.com,2099-01-01T00:00:00Z\n,joe@example.com,\n,nonsense,\n';
    const options = ['--list', 'Files', '--kind', 'email'];
    const first = await importInto('development', csv, ...options);
    assert.equal(first.code, 1);
    assert.match(first.stderr, /line 4: "nonsense": The email address is invalid\./);
    assert.match(first.stdout, /2 added, 0 updated, 1 wrong/);
    const again = await importInto('development', '\uFEFFjane@example.com\n\nann@example.com\r\n', '--list', 'files');
    assert.deepEqual([again.code, again.stdout], [0, '1 added, 1 updated, 0 wrong\n']);
    const { stdout } = await runInProcess(words('custom-lists export', 'development', '--list', 'Files'), env);
    assert.match(
      stdout,
      /^value,note,expires_at,created_at\njane@example\.com,,,.*\njoe@example\.com,,,.*\nann@example\.com,,,.*\n$/,
    );
    assert.equal((await importInto('development', stdout, '--list', 'Files')).stdout, '0 added, 3 updated, 0 wrong\n');
  });

  it('an import that fails creates no list and adds no entry', async () => {
    const before = await listsOf('development');
    const cases: readonly [file: string, says: RegExp][] = [
      [`value,note\n${'a,b\n'.repeat(1_500)}c,"open`, /line 1502, column 3: the quote that opens here/],
      ['value,note\na,b,c\n', /line 2, column 1: this row has 3 cells, the heading has 2/],
      [Array.from({ length: 100_001 }, (_, index) => index).join('\n'), /at most 100,000 entries/],
      ['value,expires_at\na,2020-01-01\n', /line 2: "a": /],
    ];
    for (const [file, says] of cases) {
      const { code, stderr } = await importInto('development', file, '--list', 'Broken', '--kind', 'text');
      assert.equal(code, 1);
      assert.match(stderr, says);
      assert.deepEqual(await listsOf('development'), before);
    }
  });

  it('creates a list only with its kind, and rejects another kind', async () => {
    const missing = await importInto('staging', 'a', '--list', 'Nothing');
    assert.deepEqual([missing.code, /give --kind/.test(missing.stderr)], [1, true]);
    assert.equal((await importInto('development', 'a', '--list', 'Files', '--kind', 'text')).code, 1);
    assert.equal((await importInto('development', 'a', '--list', 'Files', '--kind', 'phone')).code, 2);
  });

  it('gates export includes the lists of rules, and gates import creates them, merges them, and maps their ids [D471]', async () => {
    await importInto('production', 'jane@example.com', '--list', 'Customers', '--kind', 'email');
    await importInto('production', 'a', '--list', 'Unused', '--kind', 'text');
    const [list] = (await listsOf('production')).filter(({ name }) => name === 'Customers');
    const gates = [gateOn(list?.id ?? '')];
    await jsonInProcess(words('gates import', 'production'), env, JSON.stringify({ gates }));
    const document = await jsonInProcess<Document>(words('gates export', 'production'), env);
    assert.deepEqual(document.lists, [
      {
        id: list?.id,
        name: 'Customers',
        kind: 'email',
        description: null,
        entries: [{ value: 'jane@example.com', note: null, expires_at: null }],
      },
    ]);
    const text = JSON.stringify(document);
    await jsonInProcess(words('gates import', 'staging'), env, text);
    const [created, ...others] = await listsOf('staging');
    assert.deepEqual([created?.name, created?.entries_count, others], ['Customers', 1, []]);
    assert.notEqual(created?.id, list?.id);
    const copy = await jsonInProcess<Document>(words('gates export', 'staging'), env);
    assert.equal(copy.gates[0]?.rules[0]?.conditions[0]?.value, created?.id);
    await importInto('staging', 'joe@example.com', '--list', 'CUSTOMERS');
    const merged = await jsonInProcess<object>(words('gates import', 'staging'), env, text);
    assert.partialDeepStrictEqual(merged, { imported: 1, lists_created: 0, lists_merged: 1 });
    const { entries } = await entriesOf('staging', 'Customers');
    assert.deepEqual(
      entries.map(({ value }) => value),
      ['jane@example.com', 'joe@example.com'],
    );
  });

  it('gates and lists that were exported and imported are exported in the same order again [D471]', async () => {
    const where = { DATA_DIR: temporaryDirectory() };
    const create = ['accounts', 'create', '--name', 'A', '--email', 'a@a.example', '--plan', 'self-hosted'];
    const { id: owner } = await jsonInProcess<{ id: string }>(create, where);
    const gatesWords = (what: string, environment: string) =>
      ['gates', what, '--account', owner, '--environment', environment] as const;
    const orderOf = async (environment: string) => {
      const document = await jsonInProcess<Document>([...gatesWords('export', environment)], where);
      const lists = document.lists.map(({ name, entries }) => ({ name, entries }));
      return { document, order: { gates: document.gates.map(({ name }) => name), lists } };
    };
    const names = Array.from({ length: 5 }, (_, index) => `Order ${index}`);
    const lists = names.map((name) => ({
      id: name,
      name,
      kind: 'text',
      entries: Array.from({ length: 1_002 }, (_, index) => ({ value: `${name} ${index}` })),
    }));
    const gates = names.map((name) => ({ ...gateOn(name), name }));
    await jsonInProcess([...gatesWords('import', 'production')], where, JSON.stringify({ gates, lists }));
    const first = await orderOf('production');
    assert.deepEqual(first.order.gates, names);
    assert.deepEqual(
      first.order.lists.map(({ name, entries }) => [name, entries.map((entry) => Object.values(entry)[0])]),
      lists.map(({ name, entries }) => [name, entries.map(({ value }) => value)]),
    );
    await jsonInProcess([...gatesWords('import', 'staging')], where, JSON.stringify(first.document));
    assert.deepEqual((await orderOf('staging')).order, first.order);
  });

  it('gates import imports nothing if a list has another kind, exceeds a limit, or is missing [D471]', async () => {
    const own = 'development';
    const before = await listsOf(own);
    const list = {
      id: '01k00000000000000000000000',
      name: 'New',
      kind: 'email',
      entries: [{ value: 'a@example.com' }],
    };
    const gates = [gateOn(list.id)];
    const many = Array.from({ length: 50 }, (_, index) => ({ ...list, name: `L${index}` }));
    const cases: readonly [document: object, says: RegExp][] = [
      [{ gates, lists: [{ ...list, name: 'FILES', kind: 'text' }] }, /"Files" has kind email/],
      [{ gates, lists: many }, /room for 49 more lists/],
      [{ gates, lists: [list, { ...list, name: 'NEW' }] }, /two lists named/],
      [{ gates }, /gates\.0\.rules\.0\.conditions\.0\.value: There is no such list/],
      [{ gates, lists: [{ ...list, kind: 'ip', entries: [] }] }, /The list is of kind ip/],
      [{ gates, lists: [{ ...list, entries: [{ value: 'a' }] }] }, /lists\.0\.entries\.0/],
      [{ gates, lists: [{ ...list, entries: Array(100_001).fill({ value: 'a@example.com' }) }] }, /at most 100000/],
    ];
    for (const [document, says] of cases) {
      const { code, stderr } = await runInProcess(words('gates import', own), env, JSON.stringify(document));
      assert.equal(code, 1);
      assert.match(stderr, says);
      assert.match(stderr, /Nothing was imported/);
    }
    assert.deepEqual(await listsOf(own), before);
    assert.deepEqual((await jsonInProcess<Document>(words('gates export', own), env)).gates, []);
  });

  it('an export is imported with the same values, notes and expiries in every encoding and with every separator', async () => {
    const notes = [
      'two\nlines',
      '"quoted"; a, b | c\td',
      '=HYPERLINK("http://x")',
      "'=1+1",
      '-1\r\n+2',
      ' blanks ',
      'Zürich 日本',
    ];
    const lists = [
      {
        id: 'x',
        name: 'Notes',
        kind: 'text',
        entries: notes.map((note, index) => ({ value: `${note} ${index}`, note, expires_at: '2099-01-01T00:00:00Z' })),
      },
    ];
    await jsonInProcess(words('gates import', 'staging'), env, JSON.stringify({ gates: [gateOn('x')], lists }));
    const exported = await runInProcess(words('custom-lists export', 'staging', '--list', 'Notes'), env);
    assert.match(exported.stdout, /,"'=HYPERLINK\(""http:\/\/x""\)",/);
    const expected = await entriesOf('staging', 'Notes');
    const files: readonly (readonly [name: string, file: string | Uint8Array])[] = [
      ['UTF-8', exported.stdout],
      ['UTF-8 with a mark', `\uFEFF${exported.stdout}`],
      ['UTF-16LE', Buffer.from(`\uFEFF${exported.stdout}`, 'utf16le')],
      ['UTF-16BE', Buffer.from(`\uFEFF${exported.stdout}`, 'utf16le').swap16()],
    ];
    for (const [name, file] of files) {
      const imported = ['--list', name, '--kind', 'text'];
      assert.equal((await importInto('production', file, ...imported)).stdout, '7 added, 0 updated, 0 wrong\n', name);
      const { entries } = await entriesOf('production', name);
      assert.deepEqual(entries.map(withoutTime), expected.entries.map(withoutTime), name);
    }
    for (const separator of [';', '\t', '|']) {
      const file = ['value,note,expires_at', 'a,"x,y",2099-01-01'].join('\n').replaceAll(/(?<!x),/g, separator);
      await importInto('production', file, '--list', 'Separated', '--kind', 'text');
      const { entries } = await entriesOf('production', 'Separated');
      assert.deepEqual(entries.map(withoutTime), [
        { value: 'a', note: 'x,y', expires_at: '2099-01-01T00:00:00+00:00' },
      ]);
    }
  });

  it('decisions erase leaves list entries and names the list; accounts delete removes lists', async () => {
    const erase = ['decisions', 'erase', '--account', account, '--email', 'J.ANE@example.com'];
    assert.deepEqual(await jsonInProcess(erase, env), { erased: 0 });
    const named = await jsonInProcess<{ still_named_by: string[] }>([...erase.slice(0, -1), 'JANE@example.com'], env);
    assert.deepEqual(named.still_named_by, [
      'the list "Customers" of production',
      'the list "Customers" of staging',
      'the list "Files" of development',
    ]);
    assert.equal((await runInProcess(['accounts', 'delete', account, '--yes'], env)).code, 0);
  });
});
