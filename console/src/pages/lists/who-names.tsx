import { type FormEvent, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { type Namings, useNamings } from '../../api/lists.ts';
import { sayings } from '../../text/named-by.ts';
import { fieldError, whatToDo } from '../../text/problems.ts';
import { sourceName } from '../../text/sources.ts';
import { dayName } from '../../text/times.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Table } from '../../ui/table.tsx';
import styles from './lists.module.css';

/** Which sources name a domain, and since when. */
export function WhoNames() {
  const [parameters, setParameters] = useSearchParams();
  const domain = parameters.get('domain') ?? '';
  const [typed, setTyped] = useState(domain);
  const found = useNamings(domain);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = typed.trim().replace(/^.*@/, '');
    setParameters(wanted === '' ? {} : { domain: wanted });
  };
  const error = found.error && (fieldError(found.error, 'domain') ?? whatToDo(found.error));
  return (
    <Card title="Who says what about a domain">
      <form className={styles.add} onSubmit={submit}>
        <Field label="Domain" hideLabel error={error}>
          <Input
            mono
            type="search"
            placeholder="mailinator.com"
            spellCheck={false}
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
        <Button type="submit" icon="search" busy={found.isFetching}>
          Find
        </Button>
      </form>
      {found.data && !error && <Found namings={found.data} />}
    </Card>
  );
}

function Found({ namings: { domain, since, named_by } }: { namings: Namings }) {
  const environment = useEnvironment();
  return (
    <div className={styles.own}>
      {named_by.length === 0 ? (
        <p role="status">No source names {domain}.</p>
      ) : (
        <Table
          label={`Sources that name ${domain}`}
          rows={named_by}
          keyOf={({ source, says, entry }) => `${source} ${says} ${entry}`}
          columns={[
            {
              title: 'Source',
              isWide: true,
              cell: ({ source, entry }) => (
                <>
                  <span className={styles.source}>{sourceName(source)}</span>
                  {entry !== domain && <span className={styles.soft}> entry {entry}</span>}
                </>
              ),
            },
            { title: 'Says', cell: ({ says }) => sayings[says] },
            { title: 'First named', cell: (naming) => firstNamed(naming, since) },
            { title: 'Edition', priority: 2, cell: ({ date }) => date && dayName(date) },
          ]}
        />
      )}
      <p className={styles.soft}>
        First named: the day on which the publisher first saw it, where the list says so, else the first edition here
        that has it. This installation records that since {dayName(since)}.{' '}
        <Link href={`/${environment}/log?q=${encodeURIComponent(domain)}`}>Decisions about {domain}</Link>
      </p>
    </div>
  );
}

type Naming = Namings['named_by'][number];

function firstNamed({ source, first_seen, first_named }: Naming, since: string): string {
  if (source === 'operator') return '';
  if (first_seen !== null) return dayName(first_seen);
  return first_named === null ? `before ${dayName(since)}` : dayName(first_named);
}
