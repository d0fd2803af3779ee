import { type FormEvent, useState } from 'react';
import { type HookTest, useTestHook } from '../../api/hooks.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Field, Input } from '../../ui/field.tsx';
import styles from './connect.module.css';

/** Shows the exchange that the auth server would have for an address. */
export function HookTester({ id }: { id: string }) {
  const [email, setEmail] = useState('joe@mailinator.com');
  const test = useTestHook(id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!test.isPending) test.mutate(email.trim());
  };
  return (
    <>
      <form className={styles.fields} onSubmit={submit}>
        <Field label="Address to test with" error={test.error && whatToDo(test.error)}>
          <Input required mono spellCheck={false} value={email} onChange={({ target }) => setEmail(target.value)} />
        </Field>
        <Button type="submit" busy={test.isPending}>
          Test
        </Button>
      </form>
      {test.data && <Tested test={test.data} />}
    </>
  );
}

function Tested({ test: { request, response } }: { test: HookTest }) {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  const sent = [`POST ${request.url}`, ...headers, '', JSON.stringify(request.body, null, 2)].join('\n');
  return (
    <>
      <p className={styles.soft}>The request, as the auth server would send it. Nothing is logged.</p>
      <Copy label="Copy the request" text={sent} />
      <p className={styles.soft}>The response, with status {response.status}</p>
      <Copy label="Copy the response" text={response.body === '' ? '(empty body)' : response.body} />
    </>
  );
}
