// Runs before the first paint, so that the page does not flash in the other theme.
(() => {
  try {
    const theme = localStorage.getItem('signalpost.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Storage can be disabled; then the system's theme applies.
  }
})();
