import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { useBestSuggestion, useRules } from '../../api/gate.ts';
import { useGates } from '../../api/gates.ts';
import type { Overview } from '../../api/overview.ts';
import { blankRule, hasSameConditions } from '../../gate-editor/draft.ts';
import { HowToReport } from '../../outcomes/how-to-report.tsx';
import { counted, grouped } from '../../text/numbers.ts';
import { badShare } from '../../text/outcomes/outcome-shares.ts';
import { beginOf } from '../../text/ranges.ts';
import styles from './overview.module.css';

/** Suggestions need this many outcomes of each kind. */
const minOutcomes = 20;
/** Characters of a rule's name: the sentence must fit the place that it has while it loads. */
const maxName = 40;

interface Properties {
  readonly overview: Overview;
  readonly range: string;
  readonly span: string;
}

/** How well the rules decide, as far as outcomes show it, and the rule that would improve it most. */
export function FirstSentence({ overview: { outcomes, decisions }, range, span }: Properties) {
  const environment = useEnvironment();
  const { allow } = outcomes;
  const total = allow.good + allow.bad;
  if (total === 0)
    return (
      <>
        <p className={styles.headline}>
          {decisions.some((bucket) => bucket.allow > 0)
            ? `No sign-up that you let in within ${span} has an outcome yet.`
            : `No sign-up was allowed within ${span}.`}
        </p>
        <HowToReport />
      </>
    );
  const hasRule = Math.min(allow.good, allow.bad) >= minOutcomes;
  return (
    <p className={`${styles.headline} ${hasRule ? styles.growing : ''}`} title={badShare(allow) ?? undefined}>
      <Link href={`/${environment}/log?action=allow&outcome=bad&range=${range}`}>
        {grouped(allow.bad)} of {counted(total, 'sign-up')}
      </Link>{' '}
      with an outcome that you let in within {span} were bad
      {hasRule ? <BestRule bad={allow.bad} range={range} /> : '.'}
    </p>
  );
}

/** The suggested rule of the busiest gate, unless it is live already. */
function BestRule({ bad, range }: { bad: number; range: string }) {
  const environment = useEnvironment();
  const gates = useGates().data ?? [];
  const countOf = ({ counts }: (typeof gates)[number]) => counts.allow + counts.block + counts.challenge;
  const busiest = gates.toSorted((one, other) => countOf(other) - countOf(one))[0]?.id ?? null;
  const rules = useRules(busiest);
  const best = useBestSuggestion(busiest, beginOf(range)).data;
  if (!best) return '.';
  const own = rules.find((rule) => hasSameConditions(rule, { ...blankRule, ...best.rule }));
  if (own?.enabled && own.mode === 'live') return '.';
  const name = own?.name ?? best.rule.name;
  const characters = [...name];
  const shown = characters.length > maxName ? `${characters.slice(0, maxName - 1).join('')}…` : name;
  return (
    <>
      ; {own ? 'the shadow rule' : 'a rule'}{' '}
      <Link href={`/${environment}/gates/${busiest}${own ? '' : '?suggest'}`} title={name}>
        “{shown}”
      </Link>{' '}
      would have stopped {grouped(Math.min(bad, best.stops_bad))} of them and {counted(best.stops_good, 'good one')}.
    </>
  );
}
