import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'wouter';
import { useCatalogue } from '../../api/catalogue.ts';
import { useCustomList } from '../../api/custom-lists.ts';
import { useEnvironment } from '../../api/environment.ts';
import { revisionQuery, useGateStats, useRuleCounts, useRuleHealth, type WholeRevision } from '../../api/gate.ts';
import { useWave } from '../../api/waves.ts';
import { addRule, blankRule, type Draft, discard, goBackTo } from '../../gate-editor/draft.ts';
import type { Catalogue } from '../../gate-editor/gate.ts';
import { History } from '../../gate-editor/history.tsx';
import { ConflictDialog } from '../../gate-editor/review/conflict-dialog.tsx';
import { differences } from '../../gate-editor/review/differences.ts';
import { ReviewDialog } from '../../gate-editor/review/review-dialog.tsx';
import { RulesPanel } from '../../gate-editor/rules/rules-panel.tsx';
import { Statistics } from '../../gate-editor/statistics.tsx';
import { Suggestions } from '../../gate-editor/suggestions.tsx';
import { useDraftTest } from '../../gate-editor/tester/draft-tester.ts';
import { QuickBacktest, Tester } from '../../gate-editor/tester/tester.tsx';
import { useDraft } from '../../gate-editor/use-draft.ts';
import { UseIt } from '../../gate-editor/use-it.tsx';
import { counted } from '../../text/numbers.ts';
import { useBottomBar } from '../../ui/bottom-bar.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast.tsx';
import { LogView } from '../log/log-page.tsx';
import { GateMenu } from './gate-menu.tsx';
import styles from './gate-page.module.css';

/** One gate: its rules as a draft, statistics, history and code samples. */
export function GatePage() {
  const environment = useEnvironment();
  const { gateId = '' } = useParams<{ gateId: string }>();
  const gate = useQuery(revisionQuery(environment, gateId, 'current'));
  const catalogue = useCatalogue();
  // Rows are higher with their counts and their health.
  const [health, stats] = [useRuleHealth(gateId), useGateStats(gateId, 7)];
  const error = gate.error ?? catalogue.error;
  if (gate.data === undefined || catalogue.data === undefined || health.isPending || stats.isPending) {
    return (
      <Page title="Gate">
        {error ? (
          <Problem error={error} what="The gate" onRetry={() => void gate.refetch()} />
        ) : (
          <Skeleton what="The gate">
            <Skeleton.Box height={36} width="min(360px, 100%)" />
            <div className={styles.columns}>
              <Skeleton.Card lines={9} />
              <Skeleton.Card lines={8} />
            </div>
          </Skeleton>
        )}
      </Page>
    );
  }
  return <Editor key={gateId} gateId={gateId} current={gate.data} catalogue={catalogue.data} />;
}

interface Properties {
  readonly gateId: string;
  readonly current: WholeRevision;
  readonly catalogue: Catalogue;
}

const tabs = ['Rules', 'Log', 'Statistics', 'History', 'Use it'] as const;

function Editor({ gateId, current, catalogue }: Properties) {
  const environment = useEnvironment();
  const [, navigate] = useLocation();
  const { tab = 'rules' } = useParams<{ tab: string }>();
  const { draft, change, forget } = useDraft(`${environment}/${gateId}`, current);
  const [dialog, setDialog] = useState<'review' | 'conflict' | null>(null);
  useWaveRule(change);
  useListRule(catalogue, change);
  const here = `/${environment}/gates/${gateId}`;
  const changed = differences(draft.base, draft.now, catalogue).length;
  const addressOf = (name: (typeof tabs)[number]) => {
    if (name === 'Rules') return here;
    return `${here}/${slug(name)}`;
  };
  return (
    <Page
      title={current.name}
      documentTitle={`${current.name} · Gates`}
      lead={current.description ?? undefined}
      actions={<GateMenu gateId={gateId} gate={current} />}
    >
      <nav className={styles.tabs} aria-label="Parts of the gate">
        {tabs.map((name) => (
          <Link
            key={name}
            href={addressOf(name)}
            className={styles.tab}
            aria-current={slug(name) === tab ? 'page' : undefined}
          >
            {name}
          </Link>
        ))}
      </nav>
      {tab === 'rules' && <RulesTab {...{ gateId, draft, change, catalogue }} />}
      {tab === 'log' && <LogView gateId={gateId} />}
      {tab === 'statistics' && <Statistics gateId={gateId} />}
      {tab === 'history' && (
        <History
          gateId={gateId}
          currentRevision={current.revision}
          catalogue={catalogue}
          onRestore={(earlier) => {
            change((now) => goBackTo(now, earlier));
            navigate(here);
            setDialog('review');
          }}
        />
      )}
      {tab === 'use-it' && <UseIt gateId={gateId} />}
      {changed > 0 && (
        <SaveBar
          changed={changed}
          onDiscard={() => {
            const before = draft;
            change(discard);
            toast('The draft was discarded', { label: 'Undo', run: () => change(() => before) });
          }}
          onReview={() => setDialog('review')}
        />
      )}
      {dialog === 'review' && (
        <ReviewDialog
          gateId={gateId}
          draft={draft}
          catalogue={catalogue}
          change={change}
          onClose={() => setDialog(null)}
          onConflict={() => setDialog('conflict')}
          onSaved={() => {
            forget();
            setDialog(null);
          }}
        />
      )}
      {dialog === 'conflict' && (
        <ConflictDialog
          gateId={gateId}
          draft={draft}
          catalogue={catalogue}
          onClose={() => setDialog(null)}
          onTheirs={() => {
            forget();
            setDialog(null);
          }}
          onMine={(next) => {
            change(() => next);
            setDialog('review');
          }}
        />
      )}
    </Page>
  );
}

interface SaveBarProperties {
  readonly changed: number;
  readonly onDiscard: () => void;
  readonly onReview: () => void;
}

function SaveBar({ changed, onDiscard, onReview }: SaveBarProperties) {
  const bar = useBottomBar<HTMLElement>();
  return (
    <section ref={bar} className={styles.bar} aria-label="Unsaved changes">
      <span className={styles.changes}>{counted(changed, 'unsaved change')}</span>
      <Button onClick={onDiscard}>Discard</Button>
      <Button kind="primary" onClick={onReview}>
        Review and save…
      </Button>
    </section>
  );
}

/** Drafts the rule of a wave once, for a user who comes from its page. */
function useWaveRule(change: (next: (draft: Draft) => Draft) => void): void {
  const [parameters, setParameters] = useSearchParams();
  const id = parameters.get('wave');
  const wave = useWave(id ?? '', id !== null).data;
  useEffect(() => {
    if (id === null || wave?.id !== id) return;
    setParameters({}, { replace: true });
    const { rule } = wave;
    if (rule !== null) change((draft) => addRule(draft, { ...blankRule, ...rule }).draft);
  });
}

/** Drafts a rule that allows the entries of a list once, for a user who comes from its page. */
function useListRule({ fields }: Catalogue, change: (next: (draft: Draft) => Draft) => void): void {
  const [parameters, setParameters] = useSearchParams();
  const id = parameters.get('list');
  const list = useCustomList(id ?? '', id !== null).data;
  useEffect(() => {
    if (id === null || list?.id !== id) return;
    setParameters({}, { replace: true });
    const field = fields.find(({ list_kinds }) => list_kinds?.includes(list.kind))?.path;
    if (field === undefined) return;
    const conditions = [{ field, operator: 'in_list', value: id }];
    change((draft) => addRule(draft, { ...blankRule, name: list.name, action: 'allow', stop: true, conditions }).draft);
  });
}

const slug = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

type RulesTabProperties = Pick<Properties, 'gateId' | 'catalogue'> &
  Pick<ReturnType<typeof useDraft>, 'draft' | 'change'>;

function RulesTab({ gateId, draft, change, catalogue }: RulesTabProperties) {
  const counts = useRuleCounts(gateId);
  const health = new Map(useRuleHealth(gateId).data?.map((rule) => [rule.id, rule]));
  const stats = useGateStats(gateId, 7).data;
  const test = useDraftTest(gateId, draft.now);
  const total = stats ? stats.actions.allow + stats.actions.block + stats.actions.challenge : null;
  const otherwise = `${total === null ? '… decisions' : counted(total, 'decision')} in 7 days`;
  return (
    <div className={styles.columns}>
      <RulesPanel
        gateId={gateId}
        draft={draft}
        catalogue={catalogue}
        counts={counts}
        health={health}
        otherwise={otherwise}
        test={test}
        change={change}
      />
      <aside className={styles.aside} aria-label="Try the draft">
        <Tester draft={draft} test={test} />
        <QuickBacktest gateId={gateId} draft={draft} />
        <Suggestions gateId={gateId} draft={draft} catalogue={catalogue} change={change} />
      </aside>
    </div>
  );
}
