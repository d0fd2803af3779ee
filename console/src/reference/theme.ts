import { setTheme, type Theme, theme } from '../shell/theme.ts';
import { byId } from './elements.ts';

/** The console's theme, and the choice of another for both. */
export function startTheme(): void {
  const choice = byId('theme', HTMLSelectElement);
  choice.value = theme();
  choice.hidden = false;
  choice.addEventListener('change', () => setTheme(choice.value as Theme));
}
