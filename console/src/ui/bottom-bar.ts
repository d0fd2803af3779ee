import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Publishes the height of a bar at the bottom of the page as `--bottom-bar`, so that toasts appear above it. */
export function useBottomBar<Bar extends HTMLElement>(): RefObject<Bar | null> {
  const bar = useRef<Bar>(null);
  useLayoutEffect(() => {
    const root = document.documentElement;
    const observer = new ResizeObserver(([entry]) =>
      root.style.setProperty('--bottom-bar', `${entry?.target.getBoundingClientRect().height ?? 0}px`),
    );
    if (bar.current) observer.observe(bar.current);
    return () => {
      observer.disconnect();
      root.style.removeProperty('--bottom-bar');
    };
  }, []);
  return bar;
}
