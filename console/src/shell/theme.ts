/** The colour themes. */
export type Theme = 'system' | 'light' | 'dark';

const key = 'signalpost.theme';

/** The chosen theme. */
export function theme(): Theme {
  const kept = localStorage.getItem(key);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** Sets the theme and remembers it; `public/theme.js` reads it before the first paint. */
export function setTheme(next: Theme): void {
  if (next === 'system') {
    localStorage.removeItem(key);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(key, next);
    document.documentElement.dataset.theme = next;
  }
}
