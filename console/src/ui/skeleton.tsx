import type { ReactNode } from 'react';
import styles from './skeleton.module.css';

/** A skeleton in the content's final height; it appears only after a short delay. */
export function Loading({ what, height, lines }: { what: string; height?: number; lines?: number }) {
  return (
    <Skeleton what={what}>
      <div
        className={height === undefined ? styles.lines : styles.whole}
        style={{ height: height ?? (lines ?? 1) * 36 }}
      />
    </Skeleton>
  );
}

/** Boxes in the places of the content that is loading. */
export function Skeleton({ what, children }: { what: string; children: ReactNode }) {
  return (
    <div role="status" className={styles.skeleton}>
      <span className="visually-hidden">{what} is loading</span>
      {children}
    </div>
  );
}

/** One box. */
Skeleton.Box = function Box({ height, width = '100%' }: { height: number; width?: string }) {
  return <div className={styles.box} style={{ height, width }} />;
};
