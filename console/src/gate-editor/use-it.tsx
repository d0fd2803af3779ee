import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { languages } from '../../../snippets/languages.ts';
import type { SignUpDecision } from '../../../snippets/snippet.ts';
import { useEnvironment } from '../api/environment.ts';
import { Card } from '../ui/card.tsx';
import { Choice } from '../ui/choice.tsx';
import { Copy } from '../ui/copy.tsx';
import styles from './use-it.module.css';

const names = languages.map(({ name }) => name);
const failures = { Allow: 'allow', Block: 'block' } as const;
const challenges = { 'Confirm first': 'confirm', Allow: 'allow', Block: 'block' } as const;
const keysOf = <Key extends string>(choices: Readonly<Record<Key, string>>) => Object.keys(choices) as Key[];
/** The reference offers the same languages, and remembers the choice under the same name. */
const rememberedLanguage = 'signalpost.language';

/** How a sign-up form calls this gate, in several languages. */
export function UseIt({ gateId }: { gateId: string }) {
  const environment = useEnvironment();
  const asked = useSearchParams()[0].get('language');
  const [name, setName] = useState(() => asked ?? localStorage.getItem(rememberedLanguage) ?? '');
  const [failure, setFailure] = useState<keyof typeof failures>('Allow');
  const [challenge, setChallenge] = useState<keyof typeof challenges>('Confirm first');
  const language = languages.find((one) => one.name === name) ?? languages[0];
  if (language === undefined) return null;
  const decision: SignUpDecision = {
    gateId,
    email: 'jane@example.com',
    ip: '203.0.113.7',
    onFailure: failures[failure],
    onChallenge: challenges[challenge],
  };
  const choose = (next: string) => {
    localStorage.setItem(rememberedLanguage, next);
    setName(next);
  };
  return (
    <Card
      title="Call this gate from your sign-up form"
      aside={<a href={`/docs?gate=${gateId}#decide`}>All calls in the reference</a>}
    >
      <div className={styles.ways}>
        <p className={styles.soft}>
          Put a <a href={`/console/${environment}/keys`}>key of {environment}</a> into the environment variable{' '}
          <code>SIGNALPOST_KEY</code>. A decision costs 1 credit, with an IP address 3.
        </p>
        <p className={styles.soft}>
          An auth server creates your users? <Link href={`/${environment}/connect?gate=${gateId}`}>Connect it</Link>: no
          code is needed.
        </p>
        <h3>Gate id</h3>
        <Copy label="Copy the gate id" text={gateId} />
        <h3>Code</h3>
        <Choice label="Language" choices={names} value={language.name} onChange={choose} />
        <div className={styles.policies}>
          <div className={styles.policy}>
            <span>While the service does not answer</span>
            <Choice
              label="While the service does not answer"
              choices={keysOf(failures)}
              value={failure}
              onChange={setFailure}
            />
          </div>
          <div className={styles.policy}>
            <span>A challenge</span>
            <Choice label="A challenge" choices={keysOf(challenges)} value={challenge} onChange={setChallenge} />
          </div>
        </div>
        <Copy
          label={`Copy the ${language.name} code`}
          text={language.decide({ baseUrl: location.origin, key: null }, decision).trimEnd()}
        />
      </div>
    </Card>
  );
}
