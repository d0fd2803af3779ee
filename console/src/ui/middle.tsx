import styles from './middle.module.css';

/** How many characters at the end stay readable; the style sheet has the same number. */
const endLength = 12;

/** A long value in mono type, shortened in the middle when there is no room; whole on hover and when it is copied. */
export function Middle({ text }: { text: string }) {
  const at = Math.max(0, text.length - endLength);
  return (
    <span className={styles.middle} title={text}>
      {/* Screen readers would read the two parts as two words. */}
      <span className={`visually-hidden ${styles.spoken}`}>{text}</span>
      <span aria-hidden="true">
        <span className={styles.start}>{text.slice(0, at)}</span>
        {text.slice(at)}
      </span>
    </span>
  );
}
