import { pages } from '../pages/all.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import styles from './shortcuts-help.module.css';

/** Lists all shortcuts. */
export function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  const rows: readonly (readonly [string, string])[] = [
    ['Ctrl K, ⌘ K', 'Find pages, gates and actions; paste an address'],
    ['/', 'Search on this page'],
    ['j, k', 'Next and previous row; Enter opens it'],
    ['?', 'These shortcuts'],
    ...pages.map(({ letter, title }) => [`g ${letter}`, title] as const),
  ];
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className={styles.keys}>
        {rows.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>Shortcuts do nothing while you type. You can turn them off in Settings.</p>
    </Dialog>
  );
}
