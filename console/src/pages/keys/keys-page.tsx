import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { type Key, useKeys } from '../../api/keys.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { KeyTable } from './key-table.tsx';
import { NewKey } from './new-key.tsx';
import { RevokeKey } from './revoke-key.tsx';

/** The keys of this environment, then those of the others. */
export function KeysPage() {
  const environment = useEnvironment();
  const keys = useKeys();
  const [parameters, setParameters] = useSearchParams();
  const isCreating = parameters.has('new');
  const setCreating = (isNew: boolean) => setParameters(isNew ? { new: '' } : {}, { replace: true });
  const [revoked, setRevoked] = useState<Key | null>(null);
  const here = keys.data?.filter((key) => key.environment === environment) ?? [];
  const elsewhere = keys.data?.filter((key) => key.environment !== environment) ?? [];
  const make = (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      New key
    </Button>
  );
  return (
    <Page
      title="Keys"
      lead="Your programs authenticate with a key. It belongs to one environment, and only its last four characters are stored in plain text."
      actions={make}
    >
      {keys.error && (
        <Problem
          error={keys.error}
          what="The keys"
          shownSince={keys.dataUpdatedAt}
          onRetry={() => void keys.refetch()}
        />
      )}
      <Card title={`Keys of ${environment}`} flush>
        {keys.isPending && !keys.error && <Loading what="The keys" lines={3} />}
        {here.length > 0 && <KeyTable keys={here} onRevoke={setRevoked} />}
        {keys.data && here.length === 0 && <Empty action={make}>{environment} has no keys yet.</Empty>}
      </Card>
      {elsewhere.length > 0 && (
        <Card title="Other environments" flush>
          <KeyTable hasEnvironments keys={elsewhere} onRevoke={setRevoked} />
        </Card>
      )}
      {isCreating && <NewKey onClose={() => setCreating(false)} />}
      {revoked && <RevokeKey revoked={revoked} onClose={() => setRevoked(null)} />}
    </Page>
  );
}
