import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { useHooks } from '../../api/hooks.ts';
import { type DecisionDetail, subjectOf } from '../../api/log.ts';
import { kindOfSubject } from '../../text/subjects.ts';
import { ToneIcon } from '../../ui/pill.tsx';
import { Ago } from '../../ui/time.tsx';
import styles from './decision.module.css';

const verbs = { allow: 'Allowed', block: 'Blocked', challenge: 'Challenged' } as const;

/** The decision in one sentence: action, rule, subject and time. */
export function DecisionHead({ decision }: { decision: DecisionDetail }) {
  const environment = useEnvironment();
  const { action, matched_rule } = decision.decision;
  return (
    <section className={styles.head} data-action={action} aria-label="The decision">
      <ToneIcon tone={action} size={28} />
      <div className={styles.headText}>
        <p className={styles.verdict}>
          {verbs[action]} {matched_rule ? <>by “{matched_rule.name}”</> : 'because no rule matched'}
        </p>
        <p className={styles.subject}>
          <Subject subject={subjectOf(decision)} />
        </p>
        <p className={styles.meta}>
          <Link href={`/${environment}/log?gate_id=${decision.gate.id}`}>{decision.gate.name}</Link>
          {' · '}
          <Ago at={decision.meta.created_at} />
          {decision.revision !== null && ` · revision ${decision.revision}`}
          {decision.input.ip && (
            <>
              {' · '}
              <code>{decision.input.ip}</code>
            </>
          )}
          {decision.hook_id !== null && (
            <>
              {' · asked by '}
              <HookName id={decision.hook_id} />
            </>
          )}
        </p>
        {matched_rule?.message && <p className={styles.meta}>The visitor saw: “{matched_rule.message}”</p>}
      </div>
    </section>
  );
}

/** The hook that asked, with its page; a deleted one has none. */
function HookName({ id }: { id: string }) {
  const environment = useEnvironment();
  const hook = useHooks().data?.find((one) => one.id === id);
  if (!hook) return 'a hook';
  return <Link href={`/${environment}/connect?stack=${hook.format}&hook=${id}`}>the hook {hook.name}</Link>;
}

/** An address leads to everything about the person; a domain and a hashed address have no such page. */
function Subject({ subject }: { subject: string }) {
  const environment = useEnvironment();
  if (kindOfSubject(subject) !== 'email') return subject;
  return (
    <Link href={`/${environment}/log/person/${encodeURIComponent(subject)}`} title="Everything about this address">
      {subject}
    </Link>
  );
}
