import type { CSSProperties, ReactNode } from 'react';
import styles from './skeleton.module.css';

/** Lines in the place of rows that are loading; they appear only after a short delay. */
export function Loading({ what, lines }: { what: string; lines: number }) {
  return (
    <Skeleton what={what}>
      <Lines count={lines} />
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

/** One box, such as a sentence or a row of buttons. */
Skeleton.Box = function Box({ height, width = '100%' }: { height: number; width?: string }) {
  return <div className={styles.box} style={{ height, width }} />;
};

/** A card with a title and lines. */
Skeleton.Card = function Card({ lines }: { lines: number }) {
  return (
    <div className={styles.card}>
      <div className={styles.title} />
      <Lines count={lines} />
    </div>
  );
};

function Lines({ count }: { count: number }) {
  return <div className={styles.lines} style={{ '--lines': count } as CSSProperties} />;
}
