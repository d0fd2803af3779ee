import { Link } from 'wouter';
import { useEnvironment } from '../api/environment.ts';
import { Card } from '../ui/card.tsx';
import { Copy } from '../ui/copy.tsx';
import { DecisionCode } from './decision-code.tsx';
import styles from './use-it.module.css';

/** How a sign-up form calls this gate, in several languages. */
export function UseIt({ gateId }: { gateId: string }) {
  const environment = useEnvironment();
  return (
    <Card
      title="Call this gate from your sign-up form"
      aside={<a href={`/docs?gate=${gateId}#decide`}>All calls in the reference</a>}
    >
      <div className={styles.ways}>
        <p className={styles.soft}>
          Put a <a href={`/console/${environment}/keys`}>key of {environment}</a> into the environment variable{' '}
          <code>SIGNALPOST_KEY</code>. A decision costs 1 credit, with an IP address 3.
        </p>
        <p className={styles.soft}>
          An auth server creates your users? <Link href={`/${environment}/connect?gate=${gateId}`}>Connect it</Link>: no
          code is needed.
        </p>
        <h3>Gate id</h3>
        <Copy label="Copy the gate id" text={gateId} />
        <h3>Code</h3>
        <DecisionCode gateId={gateId} />
      </div>
    </Card>
  );
}
