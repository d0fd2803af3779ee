import { useEnvironment } from '../../api/environment.ts';
import { useHooks } from '../../api/hooks.ts';
import { NamedLinks } from './named-links.tsx';

/** The hooks through which the person signed up. */
export function ThroughHooks({ ids }: { ids: ReadonlySet<string> }) {
  const environment = useEnvironment();
  const hooks = (useHooks().data ?? []).filter(({ id }) => ids.has(id));
  return (
    <NamedLinks
      label="Signed up through a hook"
      links={hooks.map(({ name }) => ({ href: `/${environment}/connect`, name }))}
    />
  );
}
