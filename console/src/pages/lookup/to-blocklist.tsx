import { Button } from '../../ui/button.tsx';
import { useBlockDomain } from '../blocklist/block-domain.ts';

/** Adds the domain to the blocklist, with undo. */
export function ToBlocklist({ domain }: { domain: string }) {
  const block = useBlockDomain();
  return (
    <Button icon="blocklist" busy={block.isPending} onClick={() => block.mutate(domain)}>
      Block {domain}
    </Button>
  );
}
