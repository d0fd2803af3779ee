import { useMutation, useQueryClient } from '@tanstack/react-query';
import { clientOf } from '../../api/client.ts';
import { useEnvironment } from '../../api/environment.ts';
import { revisionQuery, useForgetGate } from '../../api/gate.ts';
import { addToDecidingList } from '../../custom-lists/add-to-deciding-list.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { problemToast, toast } from '../../ui/toast.tsx';

/** Adds an address to the list “Blocked addresses”, which a rule on top of the gate blocks; with undo. */
export function BlockPerson({ address, gateId }: { address: string; gateId: string }) {
  const environment = useEnvironment();
  const queries = useQueryClient();
  const forget = useForgetGate();
  const client = clientOf(environment);
  const block = useMutation({
    mutationFn: async () => {
      const gate = await queries.fetchQuery(revisionQuery(environment, gateId, 'current'));
      return addToDecidingList({ client, environment, gateId, gate }, 'blockedAddresses', address);
    },
    async onSuccess(list) {
      await forget(environment, gateId);
      await queries.invalidateQueries({ queryKey: ['custom-lists', environment] });
      if (list === null) return problemToast('The list “Blocked addresses” has another kind, or there are 50 lists.');
      toast(`${address} is on the list “${list.name}”`, {
        label: 'Undo',
        run: () => void client.lists.entries.remove(list.id, [address]).then(() => toast('The address was removed.')),
      });
    },
    onError: (error) => problemToast(whatToDo(error)),
  });
  return (
    <Button icon="barred" busy={block.isPending} onClick={() => block.mutate()}>
      Block this address
    </Button>
  );
}
