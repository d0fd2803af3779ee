import { useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import type { Bucket } from '../../api/overview.ts';
import { useMe } from '../../api/session.ts';
import type { Wave } from '../../api/waves.ts';
import { type Change, changeLetter, changePath, changeText } from '../../text/changes.ts';
import { grouped } from '../../text/numbers.ts';
import { periodsOf } from '../../text/ranges.ts';
import { clockTime, dayAndTime, dayName, exact } from '../../text/times.ts';
import { sharedText, sizeText } from '../../text/waves.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { type Bar, BarChart } from '../../ui/chart/bar-chart.tsx';
import { Choice } from '../../ui/choice.tsx';
import { ActionPill } from '../../ui/pill.tsx';
import { Table } from '../../ui/table.tsx';
import styles from './overview.module.css';

const actions = ['allow', 'challenge', 'block'] as const;
const titles = { allow: 'Allow', challenge: 'Challenge', block: 'Block' };
const views = ['chart', 'table'] as const;
const hourMs = 3_600_000;
/** Hours in a bar: at most about 60 bars, in lengths that people count in. */
const lengths = [1, 3, 6, 12, 24];

interface Properties {
  /** By hour. */
  readonly decisions: readonly Bucket[];
  readonly range: string;
  readonly waves: readonly Wave[];
  readonly changes: readonly Change[];
}

const letters = { W: 'wave', G: 'gate changed', L: 'list changed' };

/** Decisions over time, as a chart or a table; every count opens its part of the log. */
export function DecisionsCard({ decisions, range, waves, changes }: Properties) {
  const environment = useEnvironment();
  const [, navigate] = useLocation();
  const [view, setView] = useState<(typeof views)[number]>('chart');
  const [hovered, setHovered] = useState<number | null>(null);
  const [zoom, setZoom] = useState<readonly [number, number] | null>(null);
  const bars = useMemo(() => barsOf(decisions, zoom), [decisions, zoom]);
  const isOperator = useMe().data?.user.role === 'operator';
  const marks = marksOf(waves, changes, isOperator)
    .map(({ path, ...mark }) => ({ ...mark, href: path === null ? null : `/${environment}/${path}` }))
    .filter(({ at }) => at >= (bars[0]?.from ?? 0) && at < (bars.at(-1)?.to ?? 0));
  const logOf = (bar: Pick<Bar, 'from' | 'to'>, action?: string) =>
    `/${environment}/log?${action ? `action=${action}&` : ''}from=${wire(bar.from)}&to=${wire(bar.to)}`;
  const shown = hovered === null ? null : (bars[hovered] ?? null);
  const hrefOf = (action: string) =>
    zoom === null
      ? `/${environment}/log?action=${action}&range=${range}`
      : logOf({ from: zoom[0], to: zoom[1] }, action);
  return (
    <Card
      title="Decisions"
      aside={
        <>
          {zoom !== null && (
            <Button kind="quiet" icon="cross" onClick={() => setZoom(null)}>
              Whole range
            </Button>
          )}
          <Choice label="Show as" choices={views} value={view} onChange={setView} />
        </>
      }
    >
      <div className={styles.legend}>
        {actions.map((action) => (
          <Link key={action} href={hrefOf(action)} className={styles.total}>
            <span className={styles.swatch} data-action={action} />
            <ActionPill action={action} />{' '}
            {grouped(shown ? shown[action] : bars.reduce((sum, bar) => sum + bar[action], 0))}
          </Link>
        ))}
        <span className={styles.moment}>{shown ? spanOf(shown) : 'total'}</span>
      </div>
      {view === 'chart' ? (
        <>
          <BarChart
            label="Decisions over time; the same numbers are in the table"
            bars={bars}
            marks={marks}
            onHover={setHovered}
            onChoose={(bar) => navigate(logOf(bar))}
            onZoom={(from, to) => {
              setHovered(null);
              setZoom([from, to]);
            }}
          />
          {marks.length > 0 && (
            <p className={styles.letters}>
              {Object.entries(letters).map(([letter, text]) =>
                marks.some((mark) => mark.letter === letter) ? (
                  <span key={letter}>
                    <b>{letter}</b> {text}
                  </span>
                ) : null,
              )}
            </p>
          )}
        </>
      ) : (
        <BarTable bars={bars} logOf={logOf} />
      )}
    </Card>
  );
}

/** The events of the range: waves, and changes of gates and lists. */
function marksOf(waves: readonly Wave[], changes: readonly Change[], isOperator: boolean) {
  return [
    ...waves.map((wave) => ({
      at: Date.parse(wave.began_at),
      letter: 'W',
      text: `Wave: ${sizeText(wave)}, all ${sharedText(wave)}`,
      path: `waves/${wave.id}`,
    })),
    ...changes.map((change) => ({
      at: Date.parse(change.at),
      letter: changeLetter(change),
      text: `${changeText(change)}, ${exact(change.at)}`,
      path: changePath(change, isOperator),
    })),
  ];
}

const wire = (at: number) => encodeURIComponent(new Date(at).toISOString());
const spanOf = ({ from, to }: Bar) => `${dayAndTime(from)} to ${to > Date.now() ? 'now' : timeOrDay(from, to)}`;
const timeOrDay = (from: number, to: number) => (dayName(from) === dayName(to) ? clockTime(to) : dayAndTime(to));

function barsOf(decisions: readonly Bucket[], zoom: readonly [number, number] | null): Bar[] {
  const hours = decisions.filter(({ at }) => zoom === null || (Date.parse(at) >= zoom[0] && Date.parse(at) < zoom[1]));
  const length = lengths.find((one) => hours.length / one <= 62) ?? 24;
  const end = Date.parse(hours.at(-1)?.at ?? '') + hourMs;
  return periodsOf(hours, length).map(({ at, ...counts }, index, all) => ({
    ...counts,
    from: Date.parse(at),
    to: Date.parse(all[index + 1]?.at ?? '') || end,
  }));
}

function BarTable({ bars, logOf }: { bars: readonly Bar[]; logOf: (bar: Bar, action?: string) => string }) {
  return (
    <div className={styles.buckets}>
      <Table
        label="Decisions over time"
        rows={bars.toReversed().filter((bar) => actions.some((action) => bar[action] > 0))}
        keyOf={({ from }) => String(from)}
        columns={[
          { title: 'Time', isWide: true, cell: (bar) => <Link href={logOf(bar)}>{spanOf(bar)}</Link> },
          ...actions.map((action) => ({
            title: titles[action],
            isNumber: true,
            cell: (bar: Bar) => (bar[action] === 0 ? 0 : <Link href={logOf(bar, action)}>{grouped(bar[action])}</Link>),
          })),
        ]}
      />
    </div>
  );
}
