import type { UseMutationResult } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useEnvironment } from '../../api/environment.ts';
import type { GateTrace } from '../../api/gate.ts';
import { addableOf, type DecisionDetail, subjectOf } from '../../api/log.ts';
import { AddToList } from '../../custom-lists/add-to-list.tsx';
import { whatToDo } from '../../text/problems.ts';
import { supportReply } from '../../text/support-reply.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/chunk.ts';
import { Copy } from '../../ui/copy.tsx';
import { ActionPill } from '../../ui/pill.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import styles from './decision.module.css';

const LetIn = lazyPart(async () => (await import('./let-in.tsx')).LetIn);

interface Properties {
  readonly decision: DecisionDetail;
  readonly again: Pick<UseMutationResult<GateTrace, Error, unknown>, 'data' | 'error' | 'isPending'>;
  readonly onAgain: () => void;
}

/** The actions after a wrong decision. */
export function DecisionActions({ decision, again, onAgain }: Properties) {
  const environment = useEnvironment();
  const subject = subjectOf(decision);
  const [isLettingIn, setLettingIn] = useState(false);
  const isHashed = subject.startsWith('hmac:');
  if (isHashed) return null;
  return (
    <div className={styles.actions}>
      <span className={styles.ask}>Wrong decision?</span>
      {decision.decision.action !== 'allow' && (
        <Button icon="plus" aria-expanded={isLettingIn} onClick={() => setLettingIn(!isLettingIn)}>
          Let them in…
        </Button>
      )}
      <Button icon="refresh" busy={again.isPending} onClick={onAgain}>
        Decide again
      </Button>
      <ButtonLink href={`/${environment}/lookup?q=${encodeURIComponent(subject)}`} icon="lookup">
        Look up
      </ButtonLink>
      <AddToList values={addableOf(decision)} />
      <details className={styles.reply}>
        <summary>Reply for support</summary>
        <Copy
          label="Copy the reply"
          text={supportReply({
            action: decision.decision.action,
            subject,
            at: decision.meta.created_at,
            message: decision.decision.matched_rule?.message ?? null,
            decisionId: decision.id,
          })}
        />
      </details>
      <span role="status" className={styles.again}>
        {again.data && (
          <>
            Today: <ActionPill action={again.data.action} />{' '}
            {again.data.matched_rule ? `by “${again.data.matched_rule.name}”` : 'because no rule matches'}. No credit
            was used.
          </>
        )}
        {again.error && whatToDo(again.error)}
      </span>
      {isLettingIn && (
        <div className={styles.letIn}>
          <Suspense fallback={<Loading what="The changes" lines={6} />}>
            <LetIn decision={decision} />
          </Suspense>
        </div>
      )}
    </div>
  );
}
