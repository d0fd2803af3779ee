import { useState } from 'react';
import { useLabelledBacktest } from '../../api/gate.ts';
import { outcomeSentence } from '../../text/outcomes/outcome-shares.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import type { GateRules } from '../gate.ts';
import { ExampleList } from './example-list.tsx';

interface Properties {
  readonly gateId: string;
  readonly rules: GateRules;
  readonly days: number;
  readonly changes: Parameters<typeof outcomeSentence>[0];
}

/** How many good and bad sign-ups the draft decides differently, and the list of them on request. */
export function LabelledExamples({ gateId, rules, days, changes }: Properties) {
  const [isOpen, setOpen] = useState(false);
  const tested = useLabelledBacktest(gateId, rules, days, isOpen);
  const sentence = outcomeSentence(changes);
  if (sentence === null) return null;
  return (
    <>
      <p>
        {sentence}{' '}
        <Button kind="quiet" aria-expanded={isOpen} busy={tested.isFetching} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide them' : 'Show them'}
        </Button>
      </p>
      {isOpen && tested.error && <Problem error={tested.error} what="The list" />}
      {isOpen && tested.data && <ExampleList label="Sign-ups with an outcome" examples={tested.data.examples} />}
    </>
  );
}
