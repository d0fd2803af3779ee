import { type DragEvent, type FormEvent, useState } from 'react';
import { type MatchedOutcomes, usePreviewOutcomes, useReportOutcomes } from '../../api/outcome-file.ts';
import { textOfFile } from '../../text/file-text.ts';
import { counted, grouped } from '../../text/numbers.ts';
import { type OutcomeFile, readOutcomeFile } from '../../text/outcomes/outcome-file.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field, Input, Select, TextArea } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './outcomes.module.css';

/** Lines that are named; the others are counted. */
const maxNamed = 20;

/** Reports outcomes from a CSV file or pasted text, after a preview of the recognised lines and their decisions in the log. */
export function OutcomeFileCard() {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<'good' | 'bad'>('bad');
  const preview = usePreviewOutcomes();
  const report = useReportOutcomes();
  const file = text.trim() === '' ? null : readOutcomeFile(text, chosen);
  const read = typeof file === 'string' ? null : file;
  const change = (next: string) => {
    setText(next);
    preview.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (read === null) return;
    if (!preview.data) return preview.mutate(read.items);
    report.mutate(read.items, {
      onSuccess({ decisions }) {
        toast(`${counted(decisions, 'decision')} marked`);
        change('');
      },
    });
  };
  const drop = (event: DragEvent) => {
    const [dropped] = event.dataTransfer.files;
    if (!dropped) return;
    event.preventDefault();
    void textOfFile(dropped).then(change);
  };
  const error = preview.error ?? report.error;
  return (
    <Card title="From a file">
      <form className={styles.form} onSubmit={submit} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
        <Field
          label="CSV"
          hint="Drop a file here, choose one, or paste it: a column of addresses or decision ids, optionally “outcome” (good or bad) and “reason”."
          error={typeof file === 'string' ? file : error && whatToDo(error)}
        >
          <TextArea
            mono
            rows={6}
            spellCheck={false}
            placeholder={'email,outcome,reason\njoe@example.com,bad,chargeback'}
            value={text}
            onChange={({ target }) => change(target.value)}
          />
        </Field>
        <div className={styles.row}>
          <Field label="Or a file">
            <Input
              type="file"
              accept=".csv,.txt,text/csv,text/plain"
              onChange={({ target }) => {
                const [one] = target.files ?? [];
                if (one) void textOfFile(one).then(change);
              }}
            />
          </Field>
          <Field label="Lines without an outcome are">
            <Select
              value={chosen}
              onChange={({ target }) => {
                setChosen(target.value === 'good' ? 'good' : 'bad');
                preview.reset();
              }}
            >
              <option value="bad">bad</option>
              <option value="good">good</option>
            </Select>
          </Field>
        </div>
        <div role="status">{read && <Recognised file={read} matched={preview.data} />}</div>
        <div>
          <Button
            kind="primary"
            type="submit"
            busy={preview.isPending || report.isPending}
            disabled={read === null || read.items.length === 0 || preview.data?.matched === 0}
          >
            {preview.data ? `Mark ${counted(preview.data.decisions, 'decision')}` : 'Check'}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Recognised({ file, matched }: { file: OutcomeFile; matched: MatchedOutcomes | undefined }) {
  const { items, wrong, subjectColumn, outcomeColumn } = file;
  const bad = items.filter(({ item }) => item.outcome === 'bad').length;
  return (
    <>
      <p>
        {counted(items.length, 'line')}
        {subjectColumn !== null && ` by the column “${subjectColumn}”`}
        {outcomeColumn !== null && `, outcomes from “${outcomeColumn}”`}: {grouped(bad)} bad,{' '}
        {grouped(items.length - bad)} good
        {wrong.length > 0 && `; ${counted(wrong.length, 'line')} cannot be read`}.
      </p>
      {wrong.length > 0 && (
        <ul className={styles.wrong}>
          {wrong.slice(0, maxNamed).map(({ line, text, problem }) => (
            <li key={line}>
              line {line}: <code>{text}</code> {problem}
            </li>
          ))}
        </ul>
      )}
      {matched && (
        <p>
          {counted(matched.matched, 'line')} {matched.matched === 1 ? 'matches' : 'match'}{' '}
          {counted(matched.decisions, 'decision')} in the log.
          {matched.unmatchedLines.length > 0 &&
            ` Not in the log: ${matched.unmatchedLines.length === 1 ? 'line' : 'lines'} ${linesText(matched.unmatchedLines)}.`}
        </p>
      )}
    </>
  );
}

function linesText(lines: readonly number[]): string {
  const named = lines.slice(0, maxNamed).join(', ');
  return lines.length <= maxNamed ? named : `${named} and ${grouped(lines.length - maxNamed)} more`;
}
