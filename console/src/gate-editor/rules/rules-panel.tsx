import { useEffect, useRef, useState } from 'react';
import { useEnvironment } from '../../api/environment.ts';
import type { RuleHealth } from '../../api/gate.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Select } from '../../ui/field.tsx';
import { Sortable } from '../../ui/sortable.tsx';
import { toast } from '../../ui/toast.tsx';
import {
  addRule,
  changeRule,
  copyRule,
  type Draft,
  type DraftRule,
  moveRule,
  removeRule,
  setDefault,
} from '../draft.ts';
import { type Action, actions, type Catalogue, type Rule } from '../gate.ts';
import { GoLiveDialog } from '../review/go-live-dialog.tsx';
import type { DraftTest } from '../tester/draft-tester.ts';
import { loadFieldPicker } from './condition-form.tsx';
import { RuleForm } from './rule-form.tsx';
import { RuleRow } from './rule-row.tsx';
import styles from './rules-panel.module.css';
import { templates } from './templates.ts';
import { type RuleCounts, warningsAt } from './warnings.ts';

interface Properties {
  readonly gateId: string;
  readonly draft: Draft;
  readonly catalogue: Catalogue;
  readonly counts: RuleCounts;
  readonly health: ReadonlyMap<string, RuleHealth>;
  /** The gate's number of decisions in seven days. */
  readonly otherwise: string;
  readonly test: DraftTest;
  readonly change: (next: (draft: Draft) => Draft) => void;
}

/** The rules in order, one of them open, and the default action. */
export function RulesPanel({ gateId, draft, catalogue, counts, health, otherwise, test, change }: Properties) {
  const environment = useEnvironment();
  const [open, setOpen] = useState<string | null>(null);
  const [goingLive, setGoingLive] = useState<DraftRule | null>(null);
  const panel = useRef<HTMLDivElement>(null);
  // A failure shows when the field is opened.
  useEffect(() => void loadFieldPicker().catch(() => {}), []);
  const { rules, defaultAction } = draft.now;
  const show = (key: string) => {
    setOpen(key);
    // The row exists only after the draft has rendered.
    setTimeout(() => panel.current?.querySelector<HTMLElement>(`[data-rule="${key}"]`)?.focus());
  };
  const add = (rule?: Rule) => {
    const added = addRule(draft, rule);
    change(() => added.draft);
    show(added.key);
  };
  const copy = (key: string) => {
    const copied = copyRule(draft, key);
    change(() => copied.draft);
    show(copied.key);
  };
  const remove = (key: string) => {
    const before = draft;
    change((now) => removeRule(now, key));
    toast('The rule was removed from the draft.', { label: 'Undo', run: () => change(() => before) });
  };
  const problemAt = (place: number) => (path: string) =>
    test.problems[`rules.${place}${path === '' ? '' : `.${path}`}`]?.join(' ') ?? null;
  const isWrong = (place: number) =>
    Object.keys(test.problems).some((path) => path === `rules.${place}` || path.startsWith(`rules.${place}.`));
  const items = rules.map(({ key, name }) => ({ key, name: name.trim() === '' ? 'Unnamed rule' : name }));
  return (
    <div ref={panel} className={styles.panel}>
      <Card flush>
        {rules.length === 0 && (
          <Empty>
            No rules yet: every decision has the default action. Add a rule to block, challenge or allow the addresses
            that match its conditions.
          </Empty>
        )}
        {rules.length > 1 && (
          <p className={styles.order}>
            Rules are read from top to bottom, and the last match wins. A final rule that matches stops there.
          </p>
        )}
        <Sortable label="Rules" items={items} onMove={(from, to) => change((now) => moveRule(now, from, to))}>
          {(place, grip) => {
            const rule = rules[place];
            if (rule === undefined) return null;
            const traced = test.trace?.rules[place];
            const onChange = (part: Partial<typeof rule>) => {
              const focused = document.activeElement;
              change((now) => changeRule(now, rule.key, part));
              // A rule that becomes an exception moves to the top, and a moved element loses the focus.
              if (part.action !== undefined) setTimeout(() => focused instanceof HTMLElement && focused.focus());
            };
            return (
              <>
                <RuleRow
                  rule={rule}
                  grip={grip}
                  catalogue={catalogue}
                  counts={counts}
                  health={health.get(rule.id ?? '')}
                  warnings={warningsAt(draft.now, place, catalogue)}
                  isWrong={isWrong(place)}
                  isOpen={open === rule.key}
                  onToggle={() => setOpen(open === rule.key ? null : rule.key)}
                  onChange={onChange}
                  onCopy={() => copy(rule.key)}
                  onRemove={() => remove(rule.key)}
                  onGoLive={() => setGoingLive(rule)}
                  matches={`/${environment}/gates/${gateId}/log?matched_rule_id=${rule.id}&range=7d`}
                  onStep={(step) => change((now) => moveRule(now, place, place + step))}
                  change={change}
                />
                {open === rule.key && (
                  <RuleForm
                    place={place}
                    rule={rule}
                    catalogue={catalogue}
                    traced={traced}
                    test={test}
                    problem={problemAt(place)}
                    onChange={onChange}
                  />
                )}
              </>
            );
          }}
        </Sortable>
        <div className={styles.end}>
          <Button icon="plus" disabled={rules.length >= 100} onClick={() => add()}>
            Rule
          </Button>
          <div className={styles.template}>
            <Select
              aria-label="Rule from a template"
              value=""
              disabled={rules.length >= 100}
              onChange={({ target }) => add(templates[Number(target.value)])}
            >
              <option value="">From a template…</option>
              {templates.map(({ name }, place) => (
                <option key={name} value={place}>
                  {name}
                </option>
              ))}
            </Select>
          </div>
          <div className={styles.otherwise}>
            <label htmlFor="otherwise">If no rule matches</label>
            <div className={styles.select}>
              <Select
                id="otherwise"
                value={defaultAction}
                onChange={({ target }) => change((now) => setDefault(now, target.value as Action))}
              >
                {actions.map((action) => (
                  <option key={action}>{action}</option>
                ))}
              </Select>
            </div>
            <span className={styles.count}>{otherwise}</span>
          </div>
        </div>
      </Card>
      {goingLive && (
        <GoLiveDialog
          gateId={gateId}
          draft={draft}
          rule={goingLive}
          onClose={() => setGoingLive(null)}
          onLive={() => {
            change((now) => changeRule(now, goingLive.key, { mode: 'live' }));
            setGoingLive(null);
          }}
        />
      )}
    </div>
  );
}
