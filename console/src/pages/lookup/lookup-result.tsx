import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { useGates } from '../../api/gates.ts';
import { type Signals, useLateAge } from '../../api/lookup.ts';
import { readLines } from '../../text/readings.ts';
import { Card } from '../../ui/card.tsx';
import { ToneIcon } from '../../ui/pill.tsx';
import { AskAGate } from './ask-a-gate.tsx';
import { HowToCall } from './how-to-call.tsx';
import styles from './lookup.module.css';
import { SignalLine } from './signal-line.tsx';
import { ToBlocklist } from './to-blocklist.tsx';

/** The result of a lookup: notable signals first, then all of them. */
export function LookupResult({ subject, signals }: { subject: string; signals: Signals }) {
  const environment = useEnvironment();
  const gates = useGates().data;
  const asked = readLines(signals);
  const isAgePending = asked.some(({ signal, isPending }) => isPending && signal === 'domain_age_in_days');
  const age = useLateAge(subject, gates?.[0]?.id, isAgePending);
  const lines = age === null ? asked : readLines(withAge(signals, age));
  return (
    <>
      {signals.did_you_mean !== null && (
        <p className={styles.slip}>
          <ToneIcon tone="challenge" />
          <span>
            Probably a typo. Did they mean{' '}
            <Link href={`/${environment}/lookup?q=${encodeURIComponent(signals.did_you_mean)}`}>
              {signals.did_you_mean}
            </Link>
            ?
          </span>
        </p>
      )}
      <Card
        title={<span className={styles.subject}>{subject}</span>}
        aside={!signals.blocklisted && <ToBlocklist key={subject} domain={signals.domain} />}
      >
        <dl className={styles.lines}>
          {lines.map((line) => (
            <SignalLine key={line.signal} line={line} />
          ))}
        </dl>
      </Card>
      <AskAGate subject={subject} />
      <HowToCall subject={subject} signals={signals} />
    </>
  );
}

/** The same result with the age that arrived later. */
function withAge(signals: Signals, age: number): Signals {
  const { domain_age_in_days: _pending, ...explain } = signals.explain ?? {};
  return { ...signals, domain_age_in_days: age, explain };
}
