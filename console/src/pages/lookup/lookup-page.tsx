import { SignalpostError } from '@signalpost/client';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { useLookup } from '../../api/lookup.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './lookup.module.css';
import { LookupResult } from './lookup-result.tsx';
import { SampleLine } from './signal-line.tsx';

/** Looks up an address or a domain, and shows each signal with its reasons. */
export function LookupPage() {
  const [parameters, setParameters] = useSearchParams();
  const subject = parameters.get('q') ?? '';
  const lookup = useLookup(subject);
  const isMistyped = lookup.error instanceof SignalpostError && lookup.error.status === 400;
  return (
    <Page title="Look up" documentTitle={subject === '' ? 'Look up' : `${subject} · Look up`}>
      <LookupForm
        // The palette can open this page with another address.
        key={subject}
        subject={subject}
        isBusy={lookup.isFetching}
        error={isMistyped ? `“${subject}” is neither an email address nor a domain.` : null}
        onLookup={(next) => {
          if (next === subject) void lookup.refetch();
          else setParameters({ q: next });
        }}
      />
      {subject === '' && (
        <Card>
          <Empty sample={<SampleLine />}>
            Enter an email address or a domain to see its signals and the reasons for them.
          </Empty>
        </Card>
      )}
      {lookup.error && !isMistyped && <Problem error={lookup.error} what="The lookup" />}
      {lookup.isFetching && !lookup.data && (
        <Skeleton what="The lookup">
          <Skeleton.Box height={80} />
          <div className={styles.groups}>
            {[3, 4, 2, 1].map((lines) => (
              <Skeleton.Card key={lines} lines={lines} />
            ))}
          </div>
          <Skeleton.Card lines={1} />
        </Skeleton>
      )}
      {lookup.data && <LookupResult subject={subject} signals={lookup.data} />}
    </Page>
  );
}

interface FormProperties {
  readonly subject: string;
  readonly isBusy: boolean;
  /** Why the subject cannot be looked up. */
  readonly error: string | null;
  readonly onLookup: (subject: string) => void;
}

function LookupForm({ subject, isBusy, error, onLookup }: FormProperties) {
  const environment = useEnvironment();
  const [typed, setTyped] = useState(subject);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== '' && !isBusy) onLookup(typed.trim());
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field label="Email address or domain" hideLabel error={error}>
        <Input
          mono
          name="subject"
          type="search"
          data-search=""
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={subject === ''}
          placeholder="jane@example.com or example.com"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </Field>
      <Button kind="primary" type="submit" busy={isBusy}>
        Look up
      </Button>
      <span className={styles.price}>{environment}, 1 credit</span>
    </form>
  );
}
