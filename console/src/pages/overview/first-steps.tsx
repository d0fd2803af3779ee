import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { useGates } from '../../api/gates.ts';
import { useKeys } from '../../api/keys.ts';
import { type LogEntry, subjectOf, useLatest } from '../../api/log.ts';
import type { Overview } from '../../api/overview.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Copy } from '../../ui/copy.tsx';
import { ActionPill, ToneIcon } from '../../ui/pill.tsx';
import styles from './overview.module.css';

/** Whether the environment had no decision when the page was opened, and its first one as soon as it arrives. */
export function useFirstRun(overview: Overview): {
  readonly isFirstRun: boolean;
  readonly first: LogEntry | undefined;
} {
  const [wasEmpty, setWasEmpty] = useState(false);
  const isQuiet = overview.decisions.every(({ allow, block, challenge }) => allow + block + challenge === 0);
  const latest = useLatest({}, 1, { enabled: isQuiet || wasEmpty, everyMs: 3_000 }).data?.data;
  if (latest?.length === 0 && !wasEmpty) setWasEmpty(true);
  return { isFirstRun: wasEmpty, first: latest?.[0] };
}

/** Three steps from a new environment to the first decision. */
export function FirstSteps({ overview, first }: { overview: Overview; first: LogEntry | undefined }) {
  const environment = useEnvironment();
  const gates = useGates().data;
  const keys = useKeys().data?.filter((key) => key.environment === environment && key.state === 'in_use');
  const [gate] = gates ?? [];
  const [key] = keys ?? [];
  const call = [
    // One command, so that a pasted text is not read as the key. The service does not have the key itself.
    `printf '${key ? `Key ${plain(key.name)}(ends in ${key.last4})` : `A key of ${environment}`}: ' && read -r SIGNALPOST_KEY && \\`,
    `curl -X POST "${location.origin}/v1/gates/${gate?.id}/decisions" \\`,
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
          <ButtonLink href={`/${environment}/gates${gate ? `/${gate.id}` : '?new'}`}>
            {gate ? `Open ${gate.name}` : 'New gate'}
          </ButtonLink>
        </Step>
        <Step title={first ? 'Your first call arrived' : 'Call it'} isDone={first !== undefined}>
          {first ? (
            <p role="status" className={styles.arrived}>
              <ActionPill action={first.action} />
              <Link href={`/${environment}/log/${first.id}`}>{subjectOf(first)}</Link>
            </p>
          ) : gate ? (
            <>
              <p>
                With a key from <Link href={`/${environment}/keys`}>Keys</Link>. This page shows the call when it
                arrives.
              </p>
              <Copy label="Copy the call" text={call} />
              <ButtonLink href={`/${environment}/connect?gate=${gate.id}`}>
                Connect your auth server or framework
              </ButtonLink>
            </>
          ) : (
            <p>The gate’s page has the code for your language.</p>
          )}
        </Step>
      </ol>
    </Card>
  );
}

/** A key's name inside quotes of a shell; names may have any character. */
const plain = (name: string | null) => (name === null ? '' : `“${name.replace(/[^\p{L}\p{N} ._-]/gu, '')}” `);

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
