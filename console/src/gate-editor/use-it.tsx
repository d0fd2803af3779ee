import { useEnvironment } from '../api/environment.ts';
import { Card } from '../ui/card.tsx';
import { Copy } from '../ui/copy.tsx';
import styles from './use-it.module.css';

/** How a sign-up form calls this gate. */
export function UseIt({ gateId }: { gateId: string }) {
  const environment = useEnvironment();
  const origin = globalThis.location.origin;
  const curl = `curl ${origin}/v1/gates/${gateId}/decisions \\
  -H "Authorization: Bearer $SIGNALPOST_KEY" -H "Content-Type: application/json" \\
  -d '{"email": "jane@example.com", "ip": "203.0.113.7"}'`;
  const script = `import { Signalpost } from '@signalpost/client';

const signalpost = new Signalpost({ apiKey: process.env.SIGNALPOST_KEY, baseUrl: '${origin}' });
const { decision } = await signalpost.gates.decide('${gateId}', { email, ip });
if (decision.action === 'block') refuse(decision.matched_rule?.message);`;
  return (
    <Card title="Call this gate from your sign-up form">
      <div className={styles.ways}>
        <p className={styles.soft}>
          Use a key of {environment}. The decision is allow, block or challenge, with the rule that decided. While the
          service is unavailable, let visitors in: the client’s <code>failOpen</code> does that for you.
        </p>
        <h3>Gate id</h3>
        <Copy label="Copy the gate id" text={gateId} />
        <h3>curl</h3>
        <Copy label="Copy the curl command" text={curl} />
        <h3>JavaScript</h3>
        <Copy label="Copy the script" text={script} />
      </div>
    </Card>
  );
}
