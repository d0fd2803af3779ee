import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import benchmark from '../bench/truth/benchmark.json' with { type: 'json' };
import floors from '../bench/truth/floors.json' with { type: 'json' };
import type { FieldScore } from '../src/cli/accuracy/accuracy.ts';
import { temporaryDirectory } from './engines.ts';
import { jsonInProcess, runInProcess } from './run-in-process.ts';

interface Floor {
  readonly found?: number;
  readonly falsePositives?: number;
}

const env = { DATA_DIR: temporaryDirectory() };
const folder = join(import.meta.dirname, '..', 'bench', 'truth');
const sets: readonly [string, Readonly<Record<string, Floor>>][] = Object.entries(floors.sets);

describe('signalpost accuracy', () => {
  for (const [file, fields] of sets) {
    it(`signalpost accuracy: ${file} stays above its floors`, async () => {
      const { scores, wrong } = (await jsonInProcess(['accuracy', join(folder, file), '--offline'], env)) as {
        scores: FieldScore[];
        wrong: unknown[];
      };
      assert.deepEqual(scores.map(({ field }) => field).sort(), Object.keys(fields).sort());
      for (const { field, positives, found, falsePositives } of scores) {
        const floor = fields[field] ?? {};
        const message = `${field}: ${JSON.stringify(wrong)}`;
        assert.ok(positives === 0 || found / positives >= (floor.found ?? 1), message);
        assert.ok(falsePositives <= (floor.falsePositives ?? 0), message);
      }
    });
  }

  it('signalpost accuracy: every frozen set has floors and a reason for every row', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.csv'));
    assert.deepEqual(files.sort(), sets.map(([file]) => file).sort());
    for (const file of files) {
      const rows = readFileSync(join(folder, file), 'utf8').trim().split('\n').slice(2);
      assert.deepEqual(
        rows.filter((row) => !/^[^,]+,[^,]+,.+$/.test(row)),
        [],
      );
    }
  });

  it('the public benchmark fixes every set by commit, number of names and checksum, and contains no names', () => {
    for (const { name, commit, rows, sha256, repository } of benchmark.sets) {
      assert.match(commit, /^[0-9a-f]{40}$/, name);
      assert.match(sha256, /^[0-9a-f]{64}$/, name);
      assert.match(repository, /^[\w.-]+\/[\w.-]+$/, name);
      assert.ok(rows > 0, name);
    }
  });

  it('signalpost accuracy: shows a wrong row with its label and its evidence', async () => {
    const file = join(temporaryDirectory(), 'labelled.csv');
    writeFileSync(file, 'value,label,why\nmailinator.com,!disposable,a mistake\ngmail.com,public_domain,\n');
    const { code, stdout } = await runInProcess(['accuracy', file, '--offline'], env);
    assert.equal(code, 0);
    assert.match(stdout, /^field +found +false positives\ndisposable +– +1 of 1 \(100\.0 %\)\npublic_domain +1 of 1 /);
    assert.match(
      stdout,
      /\nmailinator\.com: disposable is true, labelled null \(a mistake\)\n {4}\S+: lists it as disposable/,
    );
  });

  it('signalpost accuracy: rejects a label that names no field, with its line number', async () => {
    const file = join(temporaryDirectory(), 'wrong.csv');
    writeFileSync(file, 'gmail.com,public_domain\ngmail.com,nice\n');
    const { code, stderr } = await runInProcess(['accuracy', file], env);
    assert.equal(code, 1);
    assert.match(stderr, /line 2: there is no field for the label "nice"; signalpost accuracy --labels lists them/);
  });

  it('signalpost accuracy: lists its labels, and requires a file otherwise', async () => {
    const { stdout } = await runInProcess(['accuracy', '--labels'], env);
    for (const label of ['disposable', 'did_you_mean', 'mx']) assert.match(stdout, new RegExp(`^  ${label}$`, 'm'));
    assert.doesNotMatch(stdout, /mx_records/);
    const { code, stderr } = await runInProcess(['accuracy'], env);
    assert.equal(code, 2);
    assert.match(stderr, /a FILE of value,label lines is missing/);
  });
});
