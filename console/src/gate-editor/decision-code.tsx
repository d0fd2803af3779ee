import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { languages } from '../../../snippets/languages.ts';
import type { SignUpDecision } from '../../../snippets/snippet.ts';
import { Choice } from '../ui/choice.tsx';
import { Copy } from '../ui/copy.tsx';
import styles from './use-it.module.css';

const names = languages.map(({ name }) => name);
const failures = { Allow: 'allow', Block: 'block' } as const;
const challenges = { 'Confirm first': 'confirm', Allow: 'allow', Block: 'block' } as const;
const keysOf = <Key extends string>(choices: Readonly<Record<Key, string>>) => Object.keys(choices) as Key[];
/** The reference offers the same languages, and remembers the choice under the same name. */
const rememberedLanguage = 'signalpost.language';

/** Code of a sign-up that calls a gate, in the chosen language. */
export function DecisionCode({ gateId }: { gateId: string }) {
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
    <>
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
    </>
  );
}
