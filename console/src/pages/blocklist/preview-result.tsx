import type { Preview } from '../../api/blocklist.ts';
import { grouped } from '../../text/numbers.ts';
import { Pill } from '../../ui/pill.tsx';
import styles from './blocklist.module.css';

/** The result of a preview: counts, and the invalid lines with their errors. */
export function PreviewResult({ preview }: { preview: Preview }) {
  return (
    <div className={styles.preview}>
      <p className={styles.counts}>
        <Pill tone="allow">new {grouped(preview.new)}</Pill>
        <Pill tone="plain">listed {grouped(preview.listed)}</Pill>
        {preview.changed > 0 && <Pill tone="allow">new reasons {grouped(preview.changed)}</Pill>}
        <Pill tone="plain">repeated {grouped(preview.repeated)}</Pill>
        <Pill tone={preview.wrong_count > 0 ? 'challenge' : 'plain'}>invalid {grouped(preview.wrong_count)}</Pill>
        {preview.full > 0 && <Pill tone="block">no room for {grouped(preview.full)}</Pill>}
      </p>
      {preview.wrong.length > 0 && (
        <ul className={styles.wrong} aria-label="Invalid lines">
          {preview.wrong.map(({ line, text, error }) => (
            <li key={line}>
              line {line}: <code>{text}</code> {error}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
