import { type FormEvent, useState } from 'react';
import type { LogFilters } from '../../api/log.ts';
import { fieldError } from '../../text/problems.ts';
import { namingSources, sourceName } from '../../text/sources.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import styles from './log.module.css';

type Values = Pick<LogFilters, 'source' | 'country' | 'network'>;

interface Properties {
  readonly values: Values;
  /** The last request's error, for the field that is wrong. */
  readonly problem: Error | null;
  readonly onChange: (values: Values) => void;
}

/** The filters that are needed less often: list, country and network. */
export function MoreFilters({ values, problem, onChange }: Properties) {
  const [source, setSource] = useState(values.source ?? '');
  const [country, setCountry] = useState(values.country ?? '');
  const [network, setNetwork] = useState(values.network ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange({ source, country: country.trim().toUpperCase(), network: network.trim() });
  };
  return (
    <form className={styles.moreFilters} onSubmit={submit}>
      <Field label="List that named the domain" error={fieldError(problem, 'source')}>
        <Select value={source} onChange={({ target }) => setSource(target.value)}>
          <option value="">any</option>
          {namingSources.map((name) => (
            <option key={name} value={name}>
              {sourceName(name)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Country" error={fieldError(problem, 'country')}>
        <Input
          placeholder="DE"
          maxLength={2}
          size={6}
          autoComplete="off"
          value={country}
          onChange={({ target }) => setCountry(target.value)}
        />
      </Field>
      <Field label="Network" error={fieldError(problem, 'network')}>
        <Input
          mono
          placeholder="AS64500 or 203.0.113.0/24"
          autoComplete="off"
          spellCheck={false}
          value={network}
          onChange={({ target }) => setNetwork(target.value)}
        />
      </Field>
      <Button type="submit">Apply</Button>
    </form>
  );
}
