// Runs before the first paint, so that a chosen theme does not flash in after the other one.
(() => {
  try {
    const theme = localStorage.getItem('signalpost.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Storage can be forbidden; then the theme of the system holds.
  }
})();
