import { useSearchParams } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { useHookFormats } from '../../api/hooks.ts';
import { DecisionCode } from '../../gate-editor/decision-code.tsx';
import { guardedStacks } from '../../text/guards.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { CodeSteps } from './code-steps.tsx';
import styles from './connect.module.css';
import { HookList } from './hook-list.tsx';
import { HookSteps } from './hook-steps.tsx';

const ownCode = 'My own code';

/** How sign-ups reach a gate: by a hook of the auth server, or by code. The URL holds the stack, the gate and the hook. */
export function ConnectPage() {
  const environment = useEnvironment();
  const formats = useHookFormats();
  const [parameters] = useSearchParams();
  const stack = parameters.get('stack');
  const gate = parameters.get('gate');
  const format = formats.data?.find((one) => one.format === stack);
  const { servers = [], others = [] } = Object.groupBy(formats.data ?? [], (one) =>
    one.format === 'generic' ? 'others' : 'servers',
  );
  const guarded = guardedStacks.find(({ name }) => name === stack);
  const link = (value: string, label: string) => (
    <ButtonLink
      key={value}
      href={`/${environment}/connect?stack=${encodeURIComponent(value)}${gate ? `&gate=${gate}` : ''}`}
      kind={value === stack ? 'primary' : 'plain'}
      aria-current={value === stack ? 'true' : undefined}
    >
      {label}
    </ButtonLink>
  );
  return (
    <Page title="Connect" lead="Let your auth server or your code ask a gate before a user is created.">
      {formats.error && (
        <Problem error={formats.error} what="The auth servers" onRetry={() => void formats.refetch()} />
      )}
      <Card title="How do people sign up?">
        {formats.isPending && !formats.error && <Loading what="The auth servers" lines={2} />}
        <div className={styles.stacks}>
          {servers.map((one) => link(one.format, one.label))}
          {guardedStacks.map(({ name }) => link(name, name))}
          {link(ownCode, ownCode)}
          {others.map((one) => link(one.format, one.label))}
        </div>
      </Card>
      {format && <HookSteps key={format.format} format={format} />}
      {guarded && (
        <CodeSteps
          key={guarded.name}
          name={guarded.name}
          title="Add the guard"
          code={(gateId) => (
            <>
              <Copy label="Copy the package" text="npm install @signalpost/client" />
              <Copy label="Copy the code" text={guarded.code(gateId)} />
            </>
          )}
        />
      )}
      {stack === ownCode && (
        <CodeSteps
          key={ownCode}
          name="your own code"
          title="Ask the gate before you create a user"
          code={(gateId) => <DecisionCode gateId={gateId} />}
        />
      )}
      <HookList />
    </Page>
  );
}
