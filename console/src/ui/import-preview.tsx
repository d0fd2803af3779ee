import { grouped } from '../text/numbers.ts';
import styles from './import-preview.module.css';
import { Pill } from './pill.tsx';

interface Properties {
  readonly new: number;
  readonly listed: number;
  readonly repeated: number;
  /** Listed ones that get another reason. */
  readonly changed?: number;
  /** New ones that the list has no room for. */
  readonly full?: number;
  readonly wrong_count: number;
  readonly wrong: readonly { readonly line: number; readonly text: string; readonly error: string }[];
}

/** The effect of an import of lines: counts, and the invalid lines with their errors. */
export function ImportPreview({ changed = 0, full = 0, ...preview }: Properties) {
  return (
    <div className={styles.preview}>
      <p className={styles.counts}>
        <Pill tone="allow">new {grouped(preview.new)}</Pill>
        <Pill tone="plain">listed {grouped(preview.listed)}</Pill>
        {changed > 0 && <Pill tone="allow">new reasons {grouped(changed)}</Pill>}
        <Pill tone="plain">repeated {grouped(preview.repeated)}</Pill>
        <Pill tone={preview.wrong_count > 0 ? 'challenge' : 'plain'}>invalid {grouped(preview.wrong_count)}</Pill>
        {full > 0 && <Pill tone="block">no room for {grouped(full)}</Pill>}
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
