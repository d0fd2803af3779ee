import { type FormEvent, useState } from 'react';
import type { LogFilters } from '../../api/log.ts';
import { fieldError } from '../../text/problems.ts';
import { namingSources, sourceName } from '../../text/sources.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import styles from './log.module.css';
import type { FilterRule } from './log-filters.ts';

type Values = Pick<LogFilters, 'source' | 'country' | 'network' | 'matched_rule_id'>;

interface Properties {
  readonly values: Values;
  /** The rules of the chosen gate; empty while all gates are shown. */
  readonly rules: readonly FilterRule[];
  /** The last request's error, for the field that is wrong. */
  readonly problem: Error | null;
  readonly onChange: (values: Values) => void;
}

/** The filters that are needed less often: rule, list, country and network. */
export function MoreFilters({ values, rules, problem, onChange }: Properties) {
  const [source, setSource] = useState(values.source ?? '');
  const [country, setCountry] = useState(values.country ?? '');
  const [network, setNetwork] = useState(values.network ?? '');
  const [matched, setMatched] = useState(values.matched_rule_id ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange({ source, country: country.trim().toUpperCase(), network: network.trim(), matched_rule_id: matched });
  };
  return (
    <form className={styles.moreFilters} onSubmit={submit}>
      {rules.length > 0 && (
        <Field label="Rule that matched">
          <Select value={matched} onChange={({ target }) => setMatched(target.value)}>
            <option value="">any</option>
            {rules.map(({ id, name, mode, action }) => (
              <option key={id} value={id}>
                {mode === 'shadow' ? `${name} (shadow: would ${action})` : name}
              </option>
            ))}
          </Select>
        </Field>
      )}
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
