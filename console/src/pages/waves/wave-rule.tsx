import { useState } from 'react';
import { Link } from 'wouter';
import { useCatalogue } from '../../api/catalogue.ts';
import { useEnvironment } from '../../api/environment.ts';
import { useGates } from '../../api/gates.ts';
import { useAcceptRule, useRemoveRule, useWaveRule, type WaveWithSamples } from '../../api/waves.ts';
import { ruleText } from '../../text/conditions.ts';
import { counted } from '../../text/numbers.ts';
import { whatToDo } from '../../text/problems.ts';
import { dayOrTime } from '../../text/times.ts';
import { effectText } from '../../text/waves.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { ActionPill } from '../../ui/pill.tsx';
import { problemToast, toast } from '../../ui/toast.tsx';
import styles from './waves.module.css';

/** The rules that stop the wave, or a draft of one that would: a challenge in one click, a block in two. */
export function WaveRule({ wave }: { wave: WaveWithSamples }) {
  // A rule that turns them away challenges them at least: only a block is left to offer.
  const isBlockLeft = wave.rule?.action === 'block';
  const hasDraft = wave.stopped_by.length > 0 ? isBlockLeft : wave.rule !== null || wave.list_entry !== null;
  if (wave.verdict === 'fine' || (!hasDraft && wave.stopped_by.length === 0)) return null;
  return (
    <Card title={wave.stopped_by.length > 0 ? 'What stops it' : 'The rule that stops it'}>
      <Stops wave={wave} />
      {hasDraft && <Draft wave={wave} />}
    </Card>
  );
}

function Stops({ wave }: { wave: WaveWithSamples }) {
  const environment = useEnvironment();
  return wave.stopped_by.map(({ gate_id, rule, since, turned_away }) => (
    <p key={`${gate_id} ${rule?.id}`} className={styles.rule}>
      Rule <Link href={`/${environment}/gates/${gate_id}`}>“{rule?.name ?? 'default action'}”</Link> since{' '}
      {dayOrTime(since)}:{' '}
      <Link
        href={`/${environment}/log?wave_id=${wave.id}&action=block,challenge${rule === null ? '' : `&rule_id=${rule.id}`}`}
      >
        {counted(turned_away, 'sign-up')} turned away
      </Link>
    </p>
  ));
}

function Draft({ wave }: { wave: WaveWithSamples }) {
  const { rule, list_entry: entry } = wave;
  const catalogue = useCatalogue().data;
  const effect = useWaveRule(wave.id).data;
  const listName = entry?.list.name ?? '';
  return (
    <>
      {entry !== null && (
        <p className={styles.rule}>
          Puts <code>{entry.value}</code> on the list “{listName}” for 7 days
          {rule === null ? '; a rule on that list challenges it.' : ', and adds a rule that challenges networks on it.'}
        </p>
      )}
      {entry === null && rule !== null && (
        <p className={styles.rule}>
          <ActionPill action={rule.action} /> <span>if {ruleText(rule, catalogue)}</span>
        </p>
      )}
      <p className={styles.soft}>{effect ? effectText(effect) : 'Counting the decisions that it matches…'}</p>
      <Accept wave={wave} gateId={effect?.gate_id ?? null} isKnown={effect !== undefined} />
    </>
  );
}

/** The buttons that put the rule into a gate. */
function Accept({ wave, gateId, isKnown }: { wave: WaveWithSamples; gateId: string | null; isKnown: boolean }) {
  const environment = useEnvironment();
  const gates = useGates().data ?? [];
  const [chosen, setChosen] = useState('');
  const [isAsking, setAsking] = useState(false);
  const accept = useAcceptRule(wave.id);
  const remove = useRemoveRule();
  const target = gates.find(({ id }) => id === (chosen || gateId)) ?? gates[0];
  if (target === undefined) return <p className={styles.soft}>Create a gate to use the rule.</p>;
  const act = (action: 'challenge' | 'block') =>
    accept.mutate(
      { gate_id: target.id, action },
      {
        onSuccess: ({ rule }) => {
          setAsking(false);
          const failed = (error: Error) => problemToast(whatToDo(error));
          const undo = rule && {
            label: 'Undo',
            run: () => remove.mutate({ gateId: target.id, ruleId: rule.id }, { onError: failed }),
          };
          toast(`${target.name} ${action === 'block' ? 'blocks' : 'challenges'} these sign-ups now`, undo ?? undefined);
        },
      },
    );
  const isBusy = (action: string) => accept.isPending && accept.variables?.action === action;
  return (
    <div className={styles.use}>
      {gates.length > 1 && (
        <Field label="Gate" hideLabel>
          <Select value={target.id} disabled={!isKnown} onChange={({ target: { value } }) => setChosen(value)}>
            {gates.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {wave.stopped_by.length === 0 && (
        <Button kind="primary" icon="half" busy={isBusy('challenge')} onClick={() => act('challenge')}>
          Challenge them{gates.length === 1 ? ` in ${target.name}` : ''}
        </Button>
      )}
      {wave.rule?.action === 'block' &&
        (isAsking ? (
          <Button kind="danger" icon="barred" busy={isBusy('block')} onClick={() => act('block')}>
            Yes, block them
          </Button>
        ) : (
          <Button icon="barred" onClick={() => setAsking(true)}>
            Block them…
          </Button>
        ))}
      {wave.rule !== null && wave.list_entry === null && (
        <ButtonLink kind="quiet" icon="gates" href={`/${environment}/gates/${target.id}?wave=${wave.id}`}>
          Adjust in the editor
        </ButtonLink>
      )}
      {accept.error && (
        <p className={styles.error} role="alert">
          {whatToDo(accept.error)}
        </p>
      )}
    </div>
  );
}
