import { ValidationError } from '@signalpost/client';
import { type FormEvent, useState } from 'react';
import { type OwnList, ownLists, useChangeEntries, useOwnEntries } from '../../api/lists.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { problemToast, toast } from '../../ui/toast.tsx';
import styles from './lists.module.css';

const meanings: Readonly<Record<OwnList, string>> = {
  disposable: 'Domains that are disposable, regardless of other sources.',
  allow: 'Domains that are never disposable or spam, regardless of other sources.',
  public: 'Mail services where anyone can open a mailbox.',
  relay: 'Services that forward to a hidden mailbox.',
  spam: 'Domains associated with spam or abuse.',
};

/** The operator's own entries, which override every source. */
export function OwnEntries({ counts }: { counts: Readonly<Record<string, number>> }) {
  const [list, setList] = useState<OwnList>('disposable');
  const labels = ownLists.map((name) => `${name} ${counts[name] ?? 0}`);
  return (
    <Card
      title="Own entries"
      aside={
        <Choice
          label="List"
          choices={labels}
          value={`${list} ${counts[list] ?? 0}`}
          onChange={(label) => setList(ownLists[labels.indexOf(label)] ?? 'disposable')}
        />
      }
    >
      <p className={styles.soft}>{meanings[list]}</p>
      <EntriesOf key={list} list={list} />
    </Card>
  );
}

function EntriesOf({ list }: { list: OwnList }) {
  const entries = useOwnEntries(list);
  const change = useChangeEntries(list);
  const [typed, setTyped] = useState('');
  const add = (event: FormEvent) => {
    event.preventDefault();
    const domains = typed.split(/[\s,]+/).filter(Boolean);
    if (domains.length > 0)
      change.mutate({ operation: 'consoleAddEntries', domains }, { onSuccess: () => setTyped('') });
  };
  const remove = (domain: string) =>
    change.mutate(
      { operation: 'consoleRemoveEntries', domains: [domain] },
      {
        onSuccess: () =>
          toast(`${domain} was removed`, {
            label: 'Undo',
            run: () => change.mutate({ operation: 'consoleAddEntries', domains: [domain] }),
          }),
        onError: (error) => problemToast(whatToDo(error)),
      },
    );
  return (
    <div className={styles.own}>
      <form className={styles.add} onSubmit={add}>
        <Field label={`Add to ${list}`} hideLabel error={change.error && problemOf(change.error)}>
          <Input
            mono
            placeholder="domain.example, another.example"
            spellCheck={false}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
        <Button type="submit" busy={change.isPending}>
          Add
        </Button>
      </form>
      <ul className={styles.entries}>
        {entries.data?.entries.map((domain) => (
          <li key={domain}>
            <code>{domain}</code>
            <Button kind="quiet" icon="cross" aria-label={`Remove ${domain}`} onClick={() => remove(domain)} />
          </li>
        ))}
      </ul>
      {entries.data?.entries.length === 0 && <p className={styles.soft}>You have no entries on this list.</p>}
    </div>
  );
}

function problemOf(error: Error): string {
  if (!(error instanceof ValidationError)) return whatToDo(error);
  return Object.values(error.fields).flat().join(' ') || whatToDo(error);
}
