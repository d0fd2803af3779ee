/** The colours of tokens at an element; a canvas cannot use custom properties. */
export function readColours(place: HTMLElement, names: readonly string[]): Map<string, string> {
  const probe = document.createElement('span');
  place.append(probe);
  const colours = new Map(
    names.map((name) => {
      probe.style.color = `var(${name})`;
      return [name, getComputedStyle(probe).color];
    }),
  );
  probe.remove();
  return colours;
}

/** Calls the listener when the theme changes, by the system or the user; returns a function that stops it. */
export function onThemeChange(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = new MutationObserver(listener);
  system.addEventListener('change', listener);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', listener);
    chosen.disconnect();
  };
}
