import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { short } from '../../text/numbers.ts';
import { dayName } from '../../text/times.ts';
import styles from './chart.module.css';
import type { ChartProperties, Line } from './chart.tsx';
import { onThemeChange, readColours } from './colours.ts';

/** The chart itself; it redraws when the theme or its size changes. */
export function LineChart({ times, lines, onHover }: ChartProperties) {
  const element = useRef<HTMLDivElement>(null);
  const hover = useRef(onHover);
  hover.current = onHover;
  useEffect(() => {
    const place = element.current;
    if (!place) return;
    let plot = draw(place, times, lines, (index) => hover.current(index));
    const again = () => {
      plot.destroy();
      plot = draw(place, times, lines, (index) => hover.current(index));
    };
    const stopWatching = onThemeChange(again);
    const sizes = new ResizeObserver(() => plot.setSize(sizeOf(place)));
    sizes.observe(place);
    return () => {
      stopWatching();
      sizes.disconnect();
      plot.destroy();
    };
  }, [times, lines]);
  return <div ref={element} className={styles.canvas} />;
}

const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** A time on the axis: the day at midnight, otherwise the hour. */
function timeName(seconds: number): string {
  const date = new Date(seconds * 1000);
  return date.getHours() === 0 && date.getMinutes() === 0 ? dayName(date) : hour.format(date);
}

const sizeOf = (place: HTMLElement) => ({ width: place.clientWidth, height: place.clientHeight });

function draw(
  place: HTMLElement,
  times: readonly number[],
  lines: readonly Line[],
  onHover: (index: number | null) => void,
): UPlot {
  const colours = readColours(place, ['--line', '--text-soft', ...lines.map(({ colour }) => colour)]);
  const colourOf = (name: string) => colours.get(name) ?? 'currentColor';
  const axis = {
    stroke: colourOf('--text-soft'),
    grid: { stroke: colourOf('--line'), width: 1 },
    ticks: { show: false },
    font: '12px Inter, system-ui, sans-serif',
  };
  const options: UPlot.Options = {
    ...sizeOf(place),
    legend: { show: false },
    cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(4, max * 1.1)] } },
    axes: [
      { ...axis, size: 32, values: (_plot, times) => times.map(timeName) },
      { ...axis, size: 44, values: (_plot, values) => values.map(short) },
    ],
    series: [
      {},
      ...lines.map(({ label, colour, dash }) => ({
        label,
        stroke: colourOf(colour),
        width: 2,
        dash: [...dash],
        points: { show: false },
      })),
    ],
    hooks: { setCursor: [({ cursor }) => onHover(cursor.idx ?? null)] },
  };
  return new UPlot(options, [[...times], ...lines.map(({ values }) => [...values])], place);
}
