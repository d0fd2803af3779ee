import { useEffect, useState } from 'react';
import { useGates } from '../../api/gates.ts';
import { traceInputOf, useTrace } from '../../api/trace.ts';
import { whatToDo } from '../../text/problems.ts';
import { TraceView } from '../../trace/trace-view.tsx';
import { Card } from '../../ui/card.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { ActionPill } from '../../ui/pill.tsx';
import styles from './lookup.module.css';

/** Traces a gate for this subject; it costs no credits and is not logged. */
export function AskAGate({ subject }: { subject: string }) {
  const gates = useGates().data;
  const [gateId, setGateId] = useState('');
  const trace = useTrace();
  const { mutate } = trace;
  useEffect(() => {
    if (gateId !== '') mutate({ gateId, input: traceInputOf(subject) });
  }, [gateId, subject, mutate]);
  if (gates?.length === 0) return null;
  return (
    <Card
      title="Test with a gate"
      aside={
        <>
          {trace.data && gateId !== '' && <ActionPill action={trace.data.action} />}
          <Field label="Gate" hideLabel>
            <Select value={gateId} onChange={({ target }) => setGateId(target.value)}>
              <option value="">Choose a gate…</option>
              {gates?.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        </>
      }
      flush
    >
      {gateId === '' && (
        <p className={styles.note}>See what one of your gates would decide, rule by rule. It costs no credits.</p>
      )}
      {trace.error && <p className={styles.note}>{whatToDo(trace.error)}</p>}
      {trace.data && gateId !== '' && <TraceView trace={trace.data} />}
    </Card>
  );
}
