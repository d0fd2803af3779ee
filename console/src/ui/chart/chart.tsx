import { Suspense } from 'react';
import { lazyPart } from '../chunk.ts';
import styles from './chart.module.css';

const LineChart = lazyPart(async () => (await import('./line-chart.tsx')).LineChart);

/** A line of a chart, in the colour of a token. */
export interface Line {
  readonly label: string;
  /** The name of a custom property: `--allow`. */
  readonly colour: string;
  /** Lines also differ by their dashes. */
  readonly dash: readonly number[];
  readonly values: readonly number[];
}

/** What a chart shows. */
export interface ChartProperties {
  /** The accessible name; the numbers are in a table nearby. */
  readonly label: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly onHover: (index: number | null) => void;
}

/** Lines over time. The box has its final height from the start, so that the layout does not shift. */
export function Chart(properties: ChartProperties) {
  return (
    <div className={styles.box} role="img" aria-label={properties.label}>
      <Suspense fallback={null}>
        <LineChart {...properties} />
      </Suspense>
    </div>
  );
}
