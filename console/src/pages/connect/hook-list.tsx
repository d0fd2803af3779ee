import { useState } from 'react';
import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { type Hook, useHooks } from '../../api/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Pill } from '../../ui/pill.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { RemoveHook } from './remove-hook.tsx';

/** The hooks of this environment, when there are any. */
export function HookList() {
  const environment = useEnvironment();
  const hooks = useHooks();
  const [removed, setRemoved] = useState<Hook | null>(null);
  if (!hooks.data || hooks.data.length === 0) return null;
  const columns: readonly Column<Hook>[] = [
    {
      title: 'Hook',
      isWide: true,
      cell: ({ id, name, format }) => (
        <Link href={`/${environment}/connect?stack=${format}&hook=${id}`} data-row-link="">
          {name}
        </Link>
      ),
    },
    {
      title: 'Calls in 24 h',
      priority: 2,
      cell: ({ calls_24h: { allow, block } }) => `${allow} allowed, ${block} blocked`,
    },
    { title: 'State', cell: (hook) => <HookState hook={hook} /> },
    {
      title: 'Delete',
      hideTitle: true,
      buttons: 'words',
      cell: (hook) => (
        <Button kind="quiet" aria-label={`Delete ${hook.name}`} onClick={() => setRemoved(hook)}>
          Delete
        </Button>
      ),
    },
  ];
  return (
    <Card title={`Hooks of ${environment}`} flush>
      <Table label="Hooks" columns={columns} rows={hooks.data} keyOf={({ id }) => id} />
      {removed && <RemoveHook hook={removed} onClose={() => setRemoved(null)} />}
    </Card>
  );
}

function HookState({ hook: { enabled, last_error, last_call_at } }: { hook: Hook }) {
  if (!enabled) return <Pill tone="unknown">disabled</Pill>;
  if (last_error !== null) return <Pill tone="block">failing</Pill>;
  if (last_call_at === null) return <Pill tone="unknown">no call yet</Pill>;
  return (
    <>
      <Pill tone="allow">connected</Pill> <Ago at={last_call_at} />
    </>
  );
}
