import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { useGates } from '../../api/gates.ts';
import { type Signals, useLateAge } from '../../api/lookup.ts';
import { counted } from '../../text/numbers.ts';
import { groups, type ReadLine, readLines } from '../../text/readings.ts';
import { verdictOf } from '../../text/verdict.ts';
import { Card } from '../../ui/card.tsx';
import { ToneIcon } from '../../ui/pill.tsx';
import { AskAGate } from './ask-a-gate.tsx';
import { HowToCall } from './how-to-call.tsx';
import styles from './lookup.module.css';
import { SignalLine } from './signal-line.tsx';
import { ToBlocklist } from './to-blocklist.tsx';

/** The result of a lookup: what to do, what stands out, then the evidence by group. */
export function LookupResult({ subject, signals }: { subject: string; signals: Signals }) {
  const environment = useEnvironment();
  const gates = useGates().data;
  const asked = readLines(signals);
  const isAgePending = asked.some(({ signal, isPending }) => isPending && signal === 'domain_age_in_days');
  const age = useLateAge(subject, gates?.[0]?.id, isAgePending);
  const now = age === null ? signals : withAge(signals, age);
  const lines = readLines(now);
  const verdict = verdictOf(now, lines);
  return (
    <>
      <section className={styles.verdict} data-tone={verdict.tone} aria-label="Verdict">
        <ToneIcon tone={verdict.tone} size={24} />
        <div className={styles.verdictText}>
          <p className={styles.verdictSentence}>{verdict.sentence}</p>
          <p className={styles.subject}>{subject}</p>
        </div>
        <div className={styles.verdictActions}>
          {signals.did_you_mean !== null && (
            <Link href={`/${environment}/lookup?q=${encodeURIComponent(signals.did_you_mean)}`}>
              Look up {signals.did_you_mean}
            </Link>
          )}
          {/* Blocking a service where anyone has a mailbox locks customers out: that takes the blocklist page. */}
          {!signals.blocklisted && !signals.public_domain && <ToBlocklist key={subject} domain={signals.domain} />}
        </div>
      </section>
      <div className={styles.groups}>
        {groups.map((group) => (
          <EvidenceGroup key={group} title={group} lines={lines.filter((line) => line.group === group)} />
        ))}
      </div>
      <AskAGate subject={subject} />
      <HowToCall subject={subject} signals={signals} />
    </>
  );
}

/** The lines of a group; neutral ones are folded away when others stand out. */
function EvidenceGroup({ title, lines }: { title: string; lines: readonly ReadLine[] }) {
  const [telling, normal] = [
    lines.filter((line) => line.tone !== 'plain'),
    lines.filter((line) => line.tone === 'plain'),
  ];
  if (lines.length === 0) return null;
  const isFolded = telling.length > 0 && normal.length > 1;
  return (
    <Card title={title}>
      <Lines lines={isFolded ? telling : lines} />
      {isFolded && (
        <details className={styles.folded}>
          <summary>{counted(normal.length, 'normal value')}</summary>
          <Lines lines={normal} />
        </details>
      )}
    </Card>
  );
}

function Lines({ lines }: { lines: readonly ReadLine[] }) {
  return (
    <dl className={styles.lines}>
      {lines.map((line) => (
        <SignalLine key={line.signal} line={line} />
      ))}
    </dl>
  );
}

/** The same result with the age that arrived later. */
function withAge(signals: Signals, age: number): Signals {
  const { domain_age_in_days: _pending, ...explain } = signals.explain ?? {};
  return { ...signals, domain_age_in_days: age, explain };
}
