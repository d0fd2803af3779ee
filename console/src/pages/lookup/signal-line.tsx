import type { ReadLine } from '../../text/readings.ts';
import { ToneIcon } from '../../ui/pill.tsx';
import styles from './lookup.module.css';

/** One signal as a sentence, with its reasons. */
export function SignalLine({ line: { question, tone, sentence, why, isPending } }: { line: ReadLine }) {
  return (
    <div className={styles.line}>
      <dt className={styles.question}>{question}</dt>
      <dd className={styles.answer}>
        <ToneIcon tone={tone} />
        <span className={styles.sentence} data-soft={tone === 'plain' || tone === 'unknown' || undefined}>
          {isPending ? 'Waiting for the registry…' : sentence}
        </span>
        {why.length > 0 && (
          <details className={styles.why}>
            <summary>why</summary>
            <ul>
              {why.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          </details>
        )}
      </dd>
    </div>
  );
}

/** A sample of the page's content. */
export function SampleLine() {
  return (
    <dl className={styles.lines}>
      <SignalLine
        line={{ ...sample, question: 'Can it receive mail?', tone: 'allow', sentence: 'Yes, by Google (2 MX)' }}
      />
      <SignalLine line={{ ...sample, question: 'Disposable?', tone: 'block', sentence: 'Yes, on 3 lists' }} />
    </dl>
  );
}

const sample = { signal: '', group: 'Mail', why: [], isPending: false } as const;
