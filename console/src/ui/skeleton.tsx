import styles from './skeleton.module.css';

/** A skeleton in the content's final height; it appears only after a short delay. */
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
