import styles from './skeleton.module.css';

/** A place that is being filled, in its final height; it shows only when that takes longer than a moment. */
export function Loading({ what, height, lines }: { what: string; height?: number; lines?: number }) {
  return (
    <div role="status">
      <span className="visually-hidden">{what} is loading</span>
      <div
        className={height === undefined ? styles.lines : styles.whole}
        style={{ height: height ?? (lines ?? 1) * 36 }}
      />
    </div>
  );
}
