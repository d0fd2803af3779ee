import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { useLatest } from '../../api/log.ts';
import type { GuardedStack } from '../../text/guards.ts';
import { Card } from '../../ui/card.tsx';
import { Copy } from '../../ui/copy.tsx';
import { CallState } from './call-state.tsx';
import styles from './connect.module.css';
import { GateSelect, useChosenGate } from './gate-select.tsx';

/** Three steps for a framework whose sign-up is code. */
export function CodeSteps({ stack }: { stack: GuardedStack }) {
  const environment = useEnvironment();
  const [parameters] = useSearchParams();
  const [chosen, setChosen] = useState(parameters.get('gate'));
  const [openedAt] = useState(() => new Date().toISOString());
  const gate = useChosenGate(chosen);
  const latest = useLatest({ gate_id: gate ?? '', from: openedAt }, 1, { enabled: gate !== null, everyMs: 2_000 });
  return (
    <Card title={`Connect ${stack.name}`}>
      <ol className={styles.steps}>
        <li className={styles.step}>
          <h3>Choose the gate, and put a key into the environment</h3>
          <div className={styles.fields}>
            <GateSelect value={gate} onChange={setChosen} />
          </div>
          <p className={styles.soft}>
            <Link href={`/${environment}/keys`}>Keys</Link> shows a new key once.
          </p>
          <Copy label="Copy the variables" text={`SIGNALPOST_URL=${location.origin}\nSIGNALPOST_KEY=`} />
        </li>
        <li className={styles.step}>
          <h3>Add the guard</h3>
          <Copy label="Copy the package" text="npm install @signalpost/client" />
          <Copy label="Copy the code" text={stack.code(gate ?? 'GATE_ID')} />
        </li>
        <li className={styles.step}>
          <h3>Sign up once</h3>
          <CallState decision={latest.data?.data[0]} lastCallAt={null} lastError={null} />
        </li>
      </ol>
    </Card>
  );
}
