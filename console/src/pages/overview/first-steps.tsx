import type { ReactNode } from 'react';
import { useEnvironment } from '../../api/environment.ts';
import { useGates } from '../../api/gates.ts';
import { useLatest } from '../../api/log.ts';
import type { Overview } from '../../api/overview.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Copy } from '../../ui/copy.tsx';
import { ToneIcon } from '../../ui/pill.tsx';
import styles from './overview.module.css';

/** Three steps from a new environment to the first decision; hidden after it. */
export function FirstSteps({ overview }: { overview: Overview }) {
  const environment = useEnvironment();
  const gates = useGates().data;
  const latest = useLatest({}, 1).data?.data;
  if (!gates || !latest || latest.length > 0) return null;
  const [gate] = gates;
  const call = [
    `curl -X POST "${location.origin}/v1/gates/${gate?.id ?? 'GATE_ID'}/decisions" \\`,
    '  -H "Authorization: Bearer $SIGNALPOST_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"email": "joe@mailinator.com"}'`,
  ].join('\n');
  return (
    <Card title={`Three steps to your first decision in ${environment}`}>
      <ol className={styles.steps}>
        <Step title="Look something up" isDone={overview.lookups.some(({ lookups }) => lookups > 0)}>
          <p>See the signals of an address, and the reasons for them.</p>
          <ButtonLink href={`/${environment}/lookup?q=joe%40mailinator.com`}>Look up joe@mailinator.com</ButtonLink>
        </Step>
        <Step title="Create a gate" isDone={gate !== undefined}>
          <p>Rules that turn signals into allow, block or challenge. The preset for sign-up forms is a good start.</p>
          <ButtonLink href={`/${environment}/gates`}>{gate ? `See ${gate.name}` : 'Open gates'}</ButtonLink>
        </Step>
        <Step title="Call it" isDone={false}>
          <p>
            With a key from <a href={`/console/${environment}/keys`}>Keys</a>:
          </p>
          <Copy label="Copy the call" text={call} />
        </Step>
      </ol>
    </Card>
  );
}

function Step({ title, isDone, children }: { title: string; isDone: boolean; children: ReactNode }) {
  return (
    <li className={styles.step} data-done={isDone || undefined}>
      <h3>
        {isDone && <ToneIcon tone="allow" />} {title}
        {isDone && <span className="visually-hidden"> (done)</span>}
      </h3>
      {children}
    </li>
  );
}
