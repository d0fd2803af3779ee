import { useEffect, useState } from 'react';
import { ago, exact } from '../text/times.ts';

/** A time relative to now, kept up to date; exact on hover. */
export function Ago({ at }: { at: string }) {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={exact(at)}>
      {ago(at)}
    </time>
  );
}
