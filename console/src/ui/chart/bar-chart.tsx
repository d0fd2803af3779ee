import { type PointerEvent, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'wouter';
import { short } from '../../text/axis.ts';
import { clockTime, dayName } from '../../text/times.ts';
import styles from './bar-chart.module.css';

/** One bar: counts of a span of time. */
export interface Bar {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly allow: number;
  readonly block: number;
  readonly challenge: number;
}

/** An event beside the bars. */
export interface Mark {
  readonly at: number;
  /** Shown in the flag: the kind of event, readable without colour. */
  readonly letter: string;
  readonly text: string;
  /** The page about it; null where there is none. */
  readonly href: string | null;
}

interface Properties {
  /** The accessible name; the numbers are in a table nearby. */
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly marks?: readonly Mark[];
  readonly onHover: (index: number | null) => void;
  /** A click on one bar. */
  readonly onChoose: (bar: Bar) => void;
  /** A drag over several. */
  readonly onZoom: (from: number, to: number) => void;
}

const height = 220;
const margin = { left: 40, bottom: 24, top: 24 };
const flag = { width: 16, height: 16 };
/** The room of a day's name. */
const tickWidth = 44;
/** From the bottom up; textures tell the actions apart without colour. */
const stack = ['allow', 'challenge', 'block'] as const;

/** Stacked bars over time. A click opens one, a drag zooms; the box has its final height from the start. */
export function BarChart({ label, bars, marks = [], onHover, onChoose, onZoom }: Properties) {
  const [box, width] = useWidth();
  const [dragged, setDragged] = useState<readonly [number, number] | null>(null);
  const hatch = useId();
  const plot = { width: Math.max(0, width - margin.left), height: height - margin.top - margin.bottom };
  const step = plot.width / Math.max(1, bars.length);
  const most = topOf(Math.max(4, ...bars.map(({ allow, block, challenge }) => allow + block + challenge)));
  const indexAt = ({ nativeEvent: { offsetX } }: PointerEvent) =>
    Math.min(bars.length - 1, Math.max(0, Math.floor((offsetX - margin.left) / step)));
  const xOf = (at: number) => {
    const first = bars[0]?.from ?? 0;
    return margin.left + ((at - first) / Math.max(1, (bars.at(-1)?.to ?? 1) - first)) * plot.width;
  };
  const finish = (event: PointerEvent) => {
    const [start, end] = dragged === null ? [0, 0] : [Math.min(...dragged), Math.max(...dragged)];
    setDragged(null);
    const [one, other] = [bars[start], bars[end]];
    if (dragged === null || !one || !other) return;
    if (start === end) onChoose(one);
    else if (event.type === 'pointerup') onZoom(one.from, other.to);
  };
  const flags = width > 0 ? flagsOf(marks, xOf, width) : [];
  return (
    <div ref={box} className={styles.box}>
      {width > 0 && (
        <svg
          className={styles.chart}
          width={width}
          height={height}
          role="img"
          aria-label={label}
          onPointerDown={(event) => setDragged([indexAt(event), indexAt(event)])}
          onPointerMove={(event) => {
            onHover(indexAt(event));
            if (dragged !== null) setDragged([dragged[0], indexAt(event)]);
          }}
          onPointerUp={finish}
          onPointerLeave={() => {
            onHover(null);
            setDragged(null);
          }}
        >
          <defs>
            <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect width="5" height="5" className={styles.hatchGround} />
              <rect width="2.5" height="5" className={styles.hatchLine} />
            </pattern>
          </defs>
          {[0, 0.5, 1].map((part) => {
            const y = margin.top + plot.height * (1 - part);
            return (
              <g key={part}>
                <line className={styles.grid} x1={margin.left} x2={width} y1={y} y2={y} />
                <text className={styles.tick} x={margin.left - 8} y={y + 4} textAnchor="end">
                  {short(most * part)}
                </text>
              </g>
            );
          })}
          {bars.map((bar, index) => (
            <g key={bar.from} data-unfinished={index === bars.length - 1 || undefined} className={styles.bar}>
              {stack.map((action, place) => {
                const below = stack.slice(0, place).reduce((sum, name) => sum + bar[name], 0);
                const tall = (bar[action] / most) * plot.height;
                return (
                  tall > 0 && (
                    <rect
                      key={action}
                      className={styles[action]}
                      fill={action === 'challenge' ? `url(#${hatch})` : undefined}
                      x={margin.left + index * step}
                      width={Math.max(1, step - (step > 4 ? 1.5 : 0.5))}
                      y={margin.top + plot.height - (below / most) * plot.height - tall}
                      height={tall}
                    />
                  )
                );
              })}
            </g>
          ))}
          {dragged !== null && dragged[0] !== dragged[1] && (
            <rect
              className={styles.selection}
              x={margin.left + Math.min(...dragged) * step}
              width={(Math.abs(dragged[1] - dragged[0]) + 1) * step}
              y={margin.top}
              height={plot.height}
            />
          )}
          {ticksOf(bars, plot.width).map(({ at, text }) => {
            const isLast = xOf(at) > width - tickWidth / 2;
            return (
              <text
                key={at}
                className={styles.tick}
                x={isLast ? width : xOf(at)}
                y={height - 6}
                textAnchor={isLast ? 'end' : 'middle'}
              >
                {text}
              </text>
            );
          })}
          {flags.map(({ x }) => (
            <line key={x} className={styles.moment} x1={x} x2={x} y1={flag.height} y2={margin.top + plot.height} />
          ))}
        </svg>
      )}
      {/* Outside the picture, whose content neither the keyboard nor a screen reader reaches. */}
      {flags.map(({ x, letter, text, href }) =>
        href === null ? (
          <span key={x} role="img" className={styles.flag} style={{ left: x }} title={text} aria-label={text}>
            {letter}
          </span>
        ) : (
          <Link key={x} href={href} className={styles.flag} style={{ left: x }} title={text} aria-label={text}>
            {letter}
          </Link>
        ),
      )}
    </div>
  );
}

/** The top of the axis: a round number at or above the largest bar, with a whole half. */
function topOf(largest: number): number {
  const unit = 10 ** Math.floor(Math.log10(largest));
  const step = unit === 1 ? 2 : largest < 2 * unit ? unit / 5 : unit;
  return Math.ceil(largest / step) * step;
}

/** One flag for marks that would cover each other; it names all of them, and opens the first. */
function flagsOf(marks: readonly Mark[], xOf: (at: number) => number, width: number) {
  const flags: { x: number; letter: string; text: string; href: string | null }[] = [];
  for (const { at, letter, text, href } of marks.toSorted((one, other) => one.at - other.at)) {
    const x = Math.min(xOf(at), width - flag.width / 2 - 1);
    const last = flags.at(-1);
    if (last === undefined || x - last.x >= flag.width + 2) flags.push({ x, letter, text, href });
    else {
      last.text += `\n${text}`;
      last.href ??= href;
      if (last.letter !== letter) last.letter = '+';
    }
  }
  return flags;
}

/** The starts of days, as many as have room; hours where there is less than two days. */
function ticksOf(bars: readonly Bar[], width: number): { at: number; text: string }[] {
  const starts = bars.map(({ from }) => from);
  const isNewDay = (at: number) =>
    new Date(at).getHours() < new Date(at - (starts[1] ?? 0) + (starts[0] ?? 0)).getHours();
  const days = starts.filter(
    (at, index) => index > 0 && (isNewDay(at) || (bars[0]?.to ?? 0) - (bars[0]?.from ?? 0) >= 86_400_000),
  );
  const isByDay = days.length >= 2;
  const all = isByDay ? days : starts.slice(1);
  const every = Math.max(1, Math.ceil((all.length * 64) / Math.max(64, width - 32)));
  return all
    .filter((_, index) => index % every === 0)
    .map((at) => ({ at, text: isByDay ? dayName(at) : clockTime(at) }));
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
