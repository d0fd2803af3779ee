import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { useGates } from '../../api/gates.ts';
import { Field, Select } from '../../ui/field.tsx';

/** The gate that decides; the first one until another is chosen. */
export function useChosenGate(chosen: string | null): string | null {
  const gates = useGates().data ?? [];
  return gates.find(({ id }) => id === chosen)?.id ?? gates[0]?.id ?? null;
}

export function GateSelect({ value, onChange }: { value: string | null; onChange: (id: string) => void }) {
  const environment = useEnvironment();
  const gates = useGates().data;
  if (gates?.length === 0) {
    return (
      <p>
        There is no gate yet. <Link href={`/${environment}/gates?new`}>Create one first</Link>
      </p>
    );
  }
  return (
    <Field label="Gate">
      <Select value={value ?? ''} onChange={({ target }) => onChange(target.value)}>
        {gates?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
