import { type FormEvent, useState } from 'react';
import { useGates } from '../../api/gates.ts';
import type { NewWebhook, Webhook } from '../../api/webhooks.ts';
import { eventNames, eventTypes } from '../../text/events.ts';
import { fieldError, whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { DialogButtons } from '../../ui/dialog/dialog.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { CheckList } from './check-list.tsx';
import styles from './webhooks.module.css';

/** The editable part of a webhook. */
export type WebhookDraft = Required<
  Pick<Webhook, 'url' | 'description' | 'events' | 'gate_ids' | 'actions' | 'format'>
>;

interface Properties {
  readonly begin: WebhookDraft;
  readonly label: string;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onSubmit: (draft: NewWebhook) => void;
  readonly onCancel: () => void;
}

const fields = ['url', 'description', 'events'] as const;

/** The form for a webhook: URL, events and format. */
export function WebhookForm({ begin, label, isBusy, error, onSubmit, onCancel }: Properties) {
  const [draft, setDraft] = useState(begin);
  const change = (part: Partial<WebhookDraft>) => setDraft({ ...draft, ...part });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) onSubmit({ ...draft, url: draft.url.trim() });
  };
  const isElsewhere = error !== null && fields.every((field) => fieldError(error, field) === null);
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field label="Address" hint="An https URL that the service can reach." error={fieldError(error, 'url')}>
        <Input
          required
          mono
          type="url"
          placeholder="https://example.com/hooks/signalpost"
          spellCheck={false}
          value={draft.url}
          onChange={({ target }) => change({ url: target.value })}
        />
      </Field>
      <Field label="Description" hint="Optional." error={fieldError(error, 'description')}>
        <Input
          maxLength={500}
          value={draft.description ?? ''}
          onChange={({ target }) => change({ description: target.value === '' ? null : target.value })}
        />
      </Field>
      <CheckList
        label="Events"
        choices={eventTypes.map((value) => ({ value, label: eventNames[value], note: value }))}
        chosen={draft.events}
        error={fieldError(error, 'events')}
        onChange={(events) => change({ events })}
      />
      {draft.events.includes('gate.decision') && <OfDecisions draft={draft} change={change} />}
      <Field label="Format" error={isElsewhere ? whatToDo(error) : null}>
        <Select value={draft.format} onChange={({ target }) => change({ format: target.value as Webhook['format'] })}>
          <option value="standard">Standard Webhooks</option>
          <option value="usercheck">UserCheck format</option>
        </Select>
      </Field>
      <DialogButtons>
        <Button onClick={onCancel}>Cancel</Button>
        <Button kind="primary" type="submit" busy={isBusy}>
          {label}
        </Button>
      </DialogButtons>
    </form>
  );
}

const actions = (['allow', 'block', 'challenge'] as const).map((value) => ({ value, label: value }));

function OfDecisions({ draft, change }: { draft: WebhookDraft; change: (part: Partial<WebhookDraft>) => void }) {
  const gates = useGates().data ?? [];
  return (
    <>
      <CheckList
        label="Only these decisions"
        hint="None selected: all decisions."
        choices={actions}
        chosen={draft.actions}
        onChange={(chosen) => change({ actions: chosen })}
      />
      {gates.length > 0 && (
        <CheckList
          label="Only these gates"
          hint="None selected: all gates."
          choices={gates.map(({ id, name }) => ({ value: id, label: name }))}
          chosen={draft.gate_ids}
          onChange={(chosen) => change({ gate_ids: chosen })}
        />
      )}
    </>
  );
}
