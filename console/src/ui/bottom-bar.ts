import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Publishes how far a bar reaches up from the bottom of the window as `--bottom-bar`, so that toasts appear above it. At the end of
 * the page a sticky bar is higher than elsewhere.
 */
export function useBottomBar<Bar extends HTMLElement>(): RefObject<Bar | null> {
  const bar = useRef<Bar>(null);
  useLayoutEffect(() => {
    const root = document.documentElement;
    const publish = () => {
      const top = bar.current?.getBoundingClientRect().top ?? innerHeight;
      root.style.setProperty('--bottom-bar', `${Math.max(0, innerHeight - top)}px`);
    };
    const observer = new ResizeObserver(publish);
    if (bar.current) observer.observe(bar.current);
    observer.observe(document.body);
    addEventListener('scroll', publish, { passive: true });
    addEventListener('resize', publish);
    return () => {
      observer.disconnect();
      removeEventListener('scroll', publish);
      removeEventListener('resize', publish);
      root.style.removeProperty('--bottom-bar');
    };
  }, []);
  return bar;
}
