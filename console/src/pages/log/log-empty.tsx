import { useLocation } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import type { LogEntry } from '../../api/log.ts';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Empty } from '../../ui/empty.tsx';
import styles from './log.module.css';
import { LogTable } from './log-table.tsx';

/** Shown when no entry matches; without any entry, shows how to make the first decision. */
export function LogEmpty({ isFiltered }: { isFiltered: boolean }) {
  const environment = useEnvironment();
  const [, navigate] = useLocation();
  if (isFiltered) {
    return (
      <Empty action={<Button onClick={() => navigate(`/${environment}/log`)}>Clear filters</Button>}>
        No decisions in {environment} match these filters.
      </Empty>
    );
  }
  return (
    <Empty
      sample={<LogTable entries={[sample]} />}
      action={
        <div className={styles.first}>
          <Copy label="Copy the call" text={firstCall()} />
        </div>
      }
    >
      No decisions are logged in {environment} yet. Every decision of a gate appears here with its signals and rules.
    </Empty>
  );
}

const firstCall = () =>
  [
    `curl -X POST "${location.origin}/v1/gates/GATE_ID/decisions" \\`,
    '  -H "Authorization: Bearer $SIGNALPOST_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"email": "joe@mailinator.com"}'`,
  ].join('\n');

const sample: LogEntry = {
  id: 'sample',
  named_by: [],
  device: null,
  hook_id: null,
  created_at: new Date().toISOString(),
  gate: { id: '', name: 'Sign-up' },
  input: { email: 'joe@mailinator.com' },
  domain: 'mailinator.com',
  action: 'block',
  matched_rule: { id: '', name: 'Disposable email', message: null },
  outcome: null,
  outcome_reason: null,
  revision: 1,
};
