import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useEnvironment } from '../api/environment.ts';
import { pages } from '../pages/all.ts';
import { areShortcutsOn } from './shortcuts-setting.ts';

/** How long after `g` a letter still counts. */
const sequenceMs = 1_500;

interface Handlers {
  readonly onPalette: () => void;
  readonly onHelp: () => void;
}

/** The keyboard shortcuts. Only Ctrl K works in inputs; none works in dialogs. */
export function useShortcuts({ onPalette, onHelp }: Handlers): void {
  const environment = useEnvironment();
  const [, navigate] = useLocation();
  useEffect(() => {
    let wentAt = Number.NEGATIVE_INFINITY;
    const keys: Readonly<Record<string, () => void>> = {
      '/': () => focusSearch() || onPalette(),
      '?': onHelp,
      j: () => moveRow(1),
      k: () => moveRow(-1),
      g: () => {
        wentAt = performance.now();
      },
    };
    const listen = (event: KeyboardEvent) => {
      if (document.querySelector('dialog[open]')) return;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        onPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !areShortcutsOn()) return;
      const isSequence = performance.now() - wentAt < sequenceMs;
      wentAt = Number.NEGATIVE_INFINITY;
      const page = isSequence ? pages.find(({ letter }) => letter === event.key) : undefined;
      const run = page ? () => navigate(`/${environment}/${page.path}`) : isSequence ? undefined : keys[event.key];
      if (!run) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [environment, navigate, onPalette, onHelp]);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('main [data-search]');
  search?.focus();
  search?.select();
  return search !== null;
}

/** Moves the focus to the link of the next or previous row; Enter follows it. */
function moveRow(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('main [data-row-link]')];
  const { activeElement } = document;
  const at = activeElement instanceof HTMLElement ? links.indexOf(activeElement) : -1;
  const next = at === -1 ? (step === 1 ? 0 : links.length - 1) : at + step;
  links[next]?.focus();
}
