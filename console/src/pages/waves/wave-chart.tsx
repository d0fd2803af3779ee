import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import type { WaveTimeline } from '../../api/waves.ts';
import { clockTime } from '../../text/times.ts';
import { barText, thresholdText } from '../../text/wave-chart.ts';
import { barsAround, type ChartBar, placesOf, type Ticked, ticksOf } from './chart-places.ts';
import styles from './wave-chart.module.css';

interface Properties {
  readonly timeline: WaveTimeline;
  readonly isSlow: boolean;
  /** The moments from which on a rule turned its decisions away. */
  readonly rules: readonly { readonly at: string; readonly name: string }[];
  readonly waveId: string;
}

const height = { line: 64, gap: 28, bars: 104, axis: 22 };
const total = height.line + height.gap + height.bars + height.axis;
const left = 32;
/** From the bottom up; textures tell the actions apart without colour. */
const stack = ['allow', 'challenge', 'block'] as const;

/**
 * A wave minute by minute: who got in and who was stopped, and above it the count that is compared with the threshold. The arrow
 * keys move along the bars; the sentence below says what the chosen one shows.
 */
export function WaveChart({ timeline, isSlow, rules, waveId }: Properties) {
  const environment = useEnvironment();
  const [box, width] = useWidth();
  const [chosen, setChosen] = useState<number | null>(null);
  const hatch = useId();
  const bars = barsAround(timeline);
  const first = bars.findIndex(({ isPadding }) => !isPadding);
  const last = bars.findLastIndex(({ isPadding }) => !isPadding);
  const shown = chosen === null ? null : (bars[chosen] ?? null);
  const move = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10 };
    const ends: Readonly<Record<string, number>> = { Home: first, End: last };
    const from = chosen ?? first - 1;
    const next = ends[event.key] ?? (steps[event.key] === undefined ? null : from + (steps[event.key] ?? 0));
    if (next === null) return;
    event.preventDefault();
    setChosen(Math.min(last, Math.max(first, next)));
  };
  const logOf = ({ from, to }: ChartBar) =>
    `/${environment}/log?wave_id=${waveId}&from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
  return (
    <>
      <div
        ref={box}
        className={styles.box}
        role="slider"
        tabIndex={0}
        aria-label="The wave over time"
        aria-valuemin={first}
        aria-valuemax={last}
        aria-valuenow={chosen ?? first}
        aria-valuetext={shown === null ? 'Choose a moment with the arrow keys' : barText(shown, isSlow)}
        onKeyDown={move}
        onBlur={() => setChosen(null)}
      >
        {width > 0 && (
          <Drawing
            {...{ bars, width, rules, chosen, hatch }}
            threshold={timeline.threshold}
            onChoose={(index) => setChosen(index)}
          />
        )}
      </div>
      <p className={styles.read}>
        {shown === null ? (
          thresholdText(timeline.threshold, isSlow)
        ) : (
          <>
            {barText(shown, isSlow)} <Link href={logOf(shown)}>In the log</Link>
          </>
        )}
      </p>
      <p className={styles.legend}>
        <span data-action="allow">got in</span>
        <span data-action="challenge">challenged</span>
        <span data-action="block">blocked</span>
        {timeline.threshold !== null && <span data-action="threshold">threshold {timeline.threshold}</span>}
        {rules.length > 0 && <span data-action="rule">rule took effect</span>}
      </p>
    </>
  );
}

interface DrawingProperties extends Pick<Properties, 'rules'> {
  readonly bars: readonly ChartBar[];
  readonly width: number;
  readonly threshold: number | null;
  readonly chosen: number | null;
  readonly hatch: string;
  readonly onChoose: (index: number | null) => void;
}

function Drawing({ bars, width, rules, threshold, chosen, hatch, onChoose }: DrawingProperties) {
  const places = placesOf(bars, { width, left, threshold });
  const barsTop = height.line + height.gap;
  const base = barsTop + height.bars;
  const lineY = (count: number) => height.line - (count / places.maxInWindow) * (height.line - 8);
  const known = bars.flatMap(({ in_window, isPadding }, index) => (isPadding ? [] : [{ index, count: in_window }]));
  return (
    <svg
      width={width}
      height={total}
      aria-hidden="true"
      onPointerMove={({ nativeEvent: { offsetX } }) => onChoose(places.indexAt(offsetX))}
      onPointerLeave={() => onChoose(null)}
    >
      <defs>
        <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="5" height="5" className={styles.hatchGround} />
          <rect width="2.5" height="5" className={styles.hatchLine} />
        </pattern>
      </defs>
      <polyline
        className={styles.count}
        points={known.map(({ index, count }) => `${places.centre(index)},${lineY(count)}`).join(' ')}
      />
      {threshold !== null && (
        <g className={styles.threshold}>
          <line x1={left} x2={width} y1={lineY(threshold)} y2={lineY(threshold)} />
          <text x={left - 6} y={lineY(threshold) + 4} textAnchor="end">
            {threshold}
          </text>
        </g>
      )}
      <Axis y={base} most={places.most} top={barsTop} width={width} />
      {bars.map((bar, index) => (
        <g key={bar.from} data-chosen={index === chosen || undefined} className={styles.bar}>
          {index === chosen && (
            <rect className={styles.band} x={places.x(index)} width={places.step} y={0} height={base} />
          )}
          {stack.map((action, place) => {
            const below = stack.slice(0, place).reduce((sum, name) => sum + bar[name], 0);
            const tall = (bar[action] / places.most) * height.bars;
            return (
              tall > 0 && (
                <rect
                  key={action}
                  className={styles[action]}
                  fill={action === 'challenge' ? `url(#${hatch})` : undefined}
                  x={places.x(index) + 0.5}
                  width={Math.max(1, places.step - (places.step > 4 ? 1.5 : 0.5))}
                  y={base - (below / places.most) * height.bars - tall}
                  height={tall}
                />
              )
            );
          })}
        </g>
      ))}
      {rules.map(({ at, name }) => (
        <g key={`${at} ${name}`} className={styles.rule}>
          <line x1={places.at(at)} x2={places.at(at)} y1={height.line + 6} y2={base} />
          <text
            x={places.at(at) + (places.at(at) > width * 0.6 ? -5 : 5)}
            y={height.line + 18}
            textAnchor={places.at(at) > width * 0.6 ? 'end' : 'start'}
          >
            {clockTime(at)} {name.length > 34 ? `${name.slice(0, 33)}…` : name}
          </text>
        </g>
      ))}
      {ticksOf(bars, places).map(({ x, text }: Ticked) => (
        <text key={x} className={styles.tick} x={x} y={total - 6} textAnchor="middle">
          {text}
        </text>
      ))}
    </svg>
  );
}

function Axis({ y, top, most, width }: { y: number; top: number; most: number; width: number }) {
  return (
    <>
      {[
        [y, 0],
        [top, most],
      ].map(([at = 0, count]) => (
        <g key={at}>
          <line className={styles.grid} x1={left} x2={width} y1={at} y2={at} />
          <text className={styles.tick} x={left - 6} y={at + 4} textAnchor="end">
            {count}
          </text>
        </g>
      ))}
    </>
  );
}

function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const sizes = new ResizeObserver(() => setWidth(element.clientWidth));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);
  return [box, width] as const;
}
