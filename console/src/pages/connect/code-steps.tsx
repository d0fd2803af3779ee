import { type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { useCreateKey } from '../../api/keys.ts';
import { useLatest } from '../../api/log.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Copy } from '../../ui/copy.tsx';
import { CallState } from './call-state.tsx';
import styles from './connect.module.css';
import { GateSelect, useChosenGate } from './gate-select.tsx';

interface Properties {
  /** The framework or language; a key created here gets its name. */
  readonly name: string;
  readonly title: string;
  /** The addition to the code of the sign-up. */
  readonly code: (gateId: string) => ReactNode;
}

/** Three steps for a sign-up that is code. */
export function CodeSteps({ name, title, code }: Properties) {
  const [parameters] = useSearchParams();
  const [chosen, setChosen] = useState(parameters.get('gate'));
  const [openedAt] = useState(() => new Date().toISOString());
  const gate = useChosenGate(chosen);
  const latest = useLatest({ gate_id: gate ?? '', from: openedAt }, 1, { enabled: gate !== null, everyMs: 2_000 });
  return (
    <Card title={`Connect ${name}`}>
      <ol className={styles.steps}>
        <li className={styles.step}>
          <h3>Choose the gate, and put a key into the environment</h3>
          <div className={styles.fields}>
            <GateSelect value={gate} onChange={setChosen} />
          </div>
          <Variables name={name} />
        </li>
        <li className={styles.step}>
          <h3>{title}</h3>
          {code(gate ?? 'GATE_ID')}
        </li>
        <li className={styles.step}>
          <h3>Sign up once</h3>
          <CallState decision={latest.data?.data[0]} lastCallAt={null} lastError={null} />
        </li>
      </ol>
    </Card>
  );
}

/** The variables of the environment; a new key is filled in. */
function Variables({ name }: { name: string }) {
  const environment = useEnvironment();
  const create = useCreateKey();
  const key = create.data?.key ?? '';
  return (
    <>
      <Copy label="Copy the variables" text={`SIGNALPOST_URL=${location.origin}\nSIGNALPOST_KEY=${key}`} />
      {key === '' ? (
        <div className={styles.fields}>
          <Button
            busy={create.isPending}
            onClick={() => !create.isPending && create.mutate({ environment, name, publishable: null })}
          >
            Create a key
          </Button>
          <p className={styles.soft}>
            or take one that you have: <Link href={`/${environment}/keys`}>Keys</Link>
          </p>
          {create.error && <p role="alert">{whatToDo(create.error)}</p>}
        </div>
      ) : (
        <p className={styles.soft} role="status">
          The key is shown once: copy it now.
        </p>
      )}
    </>
  );
}
