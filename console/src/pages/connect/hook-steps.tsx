import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import { type HookFormat, type HookWithSecret, type NewHook, useCreateHook, useHook } from '../../api/hooks.ts';
import { useLatest } from '../../api/log.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { CallState } from './call-state.tsx';
import styles from './connect.module.css';
import { GateSelect, useChosenGate } from './gate-select.tsx';
import { HookTester } from './hook-tester.tsx';
import { SecretForm } from './secret-form.tsx';

/** Three steps for an auth server: create the hook, paste its configuration, sign up once. */
export function HookSteps({ format }: { format: HookFormat }) {
  const [parameters, setParameters] = useSearchParams();
  const [made, setMade] = useState<HookWithSecret>();
  const id = parameters.get('hook');
  const created = (hook: HookWithSecret) => {
    setMade(hook);
    setParameters({ stack: format.format, hook: hook.id });
  };
  return (
    <Card title={`Connect ${format.label}`}>
      <ol className={styles.steps}>
        <li className={styles.step}>
          <h3>Create the hook</h3>
          {id === null ? <CreateForm format={format} onCreated={created} /> : <p className={styles.soft}>Done.</p>}
        </li>
        {id !== null && (
          <NextSteps key={id} id={id} format={format} made={made?.id === id ? made : undefined} onSecret={setMade} />
        )}
      </ol>
    </Card>
  );
}

interface NextProperties {
  readonly id: string;
  readonly format: HookFormat;
  /** With its secret, which only the response that made it contains. */
  readonly made: HookWithSecret | undefined;
  readonly onSecret: (hook: HookWithSecret) => void;
}

function NextSteps({ id, format, made, onSecret }: NextProperties) {
  const hook = useHook(id);
  const latest = useLatest({ gate_id: hook.data?.gate_id ?? '' }, 25, {
    enabled: hook.data !== undefined,
    everyMs: 2_000,
  });
  if (hook.error) return <Problem error={hook.error} what="The hook" onRetry={() => void hook.refetch()} />;
  if (!hook.data) return <Loading what="The hook" lines={4} />;
  const { configuration } = made ?? hook.data;
  const isSecretShown = made !== undefined && made.secret !== null;
  return (
    <>
      <li className={styles.step}>
        <h3>Paste into {format.label}</h3>
        {isSecretShown && <p className={styles.soft}>The secret is shown once: paste it now.</p>}
        {!isSecretShown && hook.data.secret_hint !== null && (
          <p className={styles.soft}>The secret, which ends in {hook.data.secret_hint}, is not shown again.</p>
        )}
        {configuration.map(({ title, code }) => (
          <div key={title} className={styles.step}>
            <p>{title}</p>
            {code !== null && code !== 'THE_SECRET' && <Copy label={`Copy: ${title}`} text={code} />}
          </div>
        ))}
        <SecretForm hook={hook.data} isFromServer={format.secret_from_server} onSecret={onSecret} />
      </li>
      <li className={styles.step}>
        <h3>Sign up once</h3>
        <CallState
          decision={latest.data?.data.find(({ hook_id }) => hook_id === id)}
          lastCallAt={hook.data.last_call_at}
          lastError={hook.data.last_error}
        />
        <HookTester id={id} />
      </li>
    </>
  );
}

const answers = { allow: 'let them in', block: 'block them' } as const;
type Answer = keyof typeof answers;

function CreateForm({ format, onCreated }: { format: HookFormat; onCreated: (hook: HookWithSecret) => void }) {
  const [parameters] = useSearchParams();
  const [chosen, setChosen] = useState(parameters.get('gate'));
  const [challenge, setChallenge] = useState<Answer>('allow');
  const [unavailable, setUnavailable] = useState<Answer>('allow');
  const create = useCreateHook();
  const gate = useChosenGate(chosen);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (gate === null || create.isPending) return;
    const body: NewHook = { name: format.label, gate_id: gate, format: format.format, challenge, unavailable };
    create.mutate(body, { onSuccess: onCreated });
  };
  return (
    <form className={styles.fields} onSubmit={submit}>
      <GateSelect value={gate} onChange={setChosen} />
      <AnswerSelect label="On a challenge" value={challenge} onChange={setChallenge} />
      <AnswerSelect label="If the service cannot decide" value={unavailable} onChange={setUnavailable} />
      <Button kind="primary" type="submit" busy={create.isPending} disabled={gate === null}>
        Create
      </Button>
      {create.error && <p role="alert">{whatToDo(create.error)}</p>}
    </form>
  );
}

function AnswerSelect({ label, value, onChange }: { label: string; value: Answer; onChange: (value: Answer) => void }) {
  return (
    <Field label={label}>
      <Select value={value} onChange={({ target }) => onChange(target.value as Answer)}>
        {Object.entries(answers).map(([answer, text]) => (
          <option key={answer} value={answer}>
            {text}
          </option>
        ))}
      </Select>
    </Field>
  );
}
