import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useRules } from '../../api/gate.ts';
import { useGates } from '../../api/gates.ts';
import type { LogEntry } from '../../api/log.ts';
import { type Action, actions } from '../../gate-editor/gate.ts';
import { fieldError } from '../../text/problems.ts';
import { calendarSpans, ranges } from '../../text/ranges.ts';
import { sourceName } from '../../text/sources.ts';
import { exact } from '../../text/times.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ToneIcon } from '../../ui/pill.tsx';
import styles from './log.module.css';
import { actionsIn, matchedText } from './log-filters.ts';
import { MoreFilters } from './more-filters.tsx';

interface Properties {
  readonly problem: Error | null;
  /** The entries on the page, for the names of rules. */
  readonly entries: readonly LogEntry[];
  /** The only gate of the log; any gate can be chosen without it. */
  readonly gateId: string | undefined;
}

/** A search box, a few selects, and chips for the filters that other pages set. */
export function LogFilterBar({ problem, entries, gateId }: Properties) {
  const [parameters, setParameters] = useSearchParams();
  const gates = useGates().data ?? [];
  const changeAll = (values: Readonly<Record<string, string | undefined>>) =>
    setParameters((before) => {
      const next = new URLSearchParams(before);
      for (const [name, value] of Object.entries(values)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      return next;
    });
  const change = (name: string, value: string) => changeAll({ [name]: value });
  const rules = useRules(gateId ?? parameters.get('gate_id'));
  const [ruleId, matchedId] = [parameters.get('rule_id'), parameters.get('matched_rule_id') ?? undefined];
  const rule = entries.find(({ matched_rule }) => matched_rule?.id === ruleId)?.matched_rule;
  const from = parameters.get('from');
  const to = parameters.get('to');
  const isCustom = parameters.get('range') === 'custom';
  const [source, country, network] = ['source', 'country', 'network'].map((name) => parameters.get(name) ?? undefined);
  const isMoreWrong = ['source', 'country', 'network'].some((name) => fieldError(problem, name) !== null);
  const [isMoreShown, setMoreOpen] = useState(false);
  const isMoreOpen = isMoreShown || isMoreWrong;
  return (
    <div className={styles.filters}>
      <SearchBox
        key={parameters.get('q')}
        error={fieldError(problem, 'q')}
        value={parameters.get('q') ?? ''}
        onSearch={(q) => change('q', q)}
      />
      {gateId === undefined && (
        <Chooser
          label="Gate"
          value={parameters.get('gate_id')}
          onChange={(gate_id) => changeAll({ gate_id, matched_rule_id: '' })}
        >
          {Object.fromEntries(gates.map(({ id, name }) => [id, name]))}
        </Chooser>
      )}
      <ActionChoice chosen={actionsIn(parameters)} onChange={(chosen) => change('action', chosen.join(','))} />
      <Chooser label="Outcome" value={parameters.get('outcome')} onChange={(outcome) => change('outcome', outcome)}>
        {{ good: 'good', bad: 'bad', none: 'not reported' }}
      </Chooser>
      <Chooser
        label="Time"
        value={parameters.get('range')}
        onChange={(range) => changeAll({ range, ...(range === 'custom' ? {} : { from: '', to: '' }) })}
      >
        {{ ...ranges, ...calendarSpans, custom: 'from … to …' }}
      </Chooser>
      <Button
        icon={isMoreOpen ? 'up' : 'down'}
        aria-expanded={isMoreOpen}
        onClick={() => setMoreOpen((isOpen) => !isOpen)}
      >
        More
      </Button>
      {parameters.has('wave_id') && <Chip text="Of one wave" onRemove={() => change('wave_id', '')} />}
      {ruleId && <Chip text={`Rule: ${rule?.name ?? ruleId}`} onRemove={() => change('rule_id', '')} />}
      {matchedId && <Chip text={matchedText(rules, matchedId)} onRemove={() => change('matched_rule_id', '')} />}
      {from && !isCustom && <Chip text={`From ${exact(from)}`} onRemove={() => change('from', '')} />}
      {to && !isCustom && <Chip text={`To ${exact(to)}`} onRemove={() => change('to', '')} />}
      {source && <Chip text={`List: ${sourceName(source)}`} onRemove={() => change('source', '')} />}
      {country && <Chip text={`Country: ${country}`} onRemove={() => change('country', '')} />}
      {network && <Chip text={`Network: ${network}`} onRemove={() => change('network', '')} />}
      {isCustom && (
        <div className={styles.moments}>
          <Moment label="From" value={from} onChange={(at) => change('from', at)} />
          <Moment label="To, not included" value={to} onChange={(at) => change('to', at)} />
        </div>
      )}
      {isMoreOpen && (
        <MoreFilters
          key={`${source} ${country} ${network} ${matchedId}`}
          values={{ source, country, network, matched_rule_id: matchedId }}
          rules={rules}
          problem={problem}
          onChange={changeAll}
        />
      )}
    </div>
  );
}

/** Any number of actions; none of them means all. */
function ActionChoice({
  chosen,
  onChange,
}: {
  chosen: readonly Action[];
  onChange: (chosen: readonly Action[]) => void;
}) {
  return (
    <fieldset className={styles.actionChoice}>
      <legend className="visually-hidden">Decision</legend>
      {actions.map((action) => (
        <label key={action} data-action={action}>
          <input
            type="checkbox"
            className="visually-hidden"
            checked={chosen.includes(action)}
            onChange={({ target }) =>
              onChange(actions.filter((one) => (one === action ? target.checked : chosen.includes(one))))
            }
          />
          <ToneIcon tone={action} />
          {action}
        </label>
      ))}
    </fieldset>
  );
}

/** A moment in the reader's time zone. */
function Moment({ label, value, onChange }: { label: string; value: string | null; onChange: (at: string) => void }) {
  const local = value && new Date(Date.parse(value) - new Date(value).getTimezoneOffset() * 60_000).toISOString();
  return (
    <Field label={label}>
      <Input
        type="datetime-local"
        value={local ? local.slice(0, 16) : ''}
        onChange={({ target }) => onChange(target.value === '' ? '' : new Date(target.value).toISOString())}
      />
    </Field>
  );
}

interface SearchProperties {
  readonly value: string;
  readonly error: string | null;
  readonly onSearch: (q: string) => void;
}

function SearchBox({ value, error, onSearch }: SearchProperties) {
  const [typed, setTyped] = useState(value);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(typed.trim());
  };
  return (
    <form className={styles.search} onSubmit={submit}>
      <Field label="Address, domain, IP address or decision id" hideLabel error={error}>
        <Input
          mono
          type="search"
          data-search=""
          autoComplete="off"
          spellCheck={false}
          placeholder="Address, domain, IP, id"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            if (target.value === '') onSearch('');
          }}
        />
      </Field>
    </form>
  );
}

interface ChooserProperties {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (value: string) => void;
  readonly children: Readonly<Record<string, string>>;
}

function Chooser({ label, value, onChange, children }: ChooserProperties) {
  return (
    <Field label={label} hideLabel>
      <Select
        value={value ?? ''}
        data-set={value !== null || undefined}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">{label}: any</option>
        {Object.entries(children).map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}

function Chip({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <button type="button" className={styles.chip} onClick={onRemove}>
      {text}
      <Icon name="cross" size={12} />
      <span className="visually-hidden">: remove this filter</span>
    </button>
  );
}
