import { useEffect, useRef } from 'react';

/** A new page begins at its top; on the way back the browser restores where the reader was. */
export function useScrollToTop(path: string): void {
  const isReturning = useRef(false);
  useEffect(() => {
    const note = () => {
      isReturning.current = true;
    };
    addEventListener('popstate', note);
    return () => removeEventListener('popstate', note);
  }, []);
  useEffect(() => {
    if (path !== '' && !isReturning.current) scrollTo(0, 0);
    isReturning.current = false;
  }, [path]);
}
