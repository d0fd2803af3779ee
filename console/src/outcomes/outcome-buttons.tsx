import { type Outcome, useSetOutcome } from '../api/outcomes.ts';
import { whatToDo } from '../text/problems.ts';
import { Button } from '../ui/button.tsx';
import { problemToast, toast } from '../ui/toast.tsx';

interface Properties {
  readonly gateId: string;
  readonly decisionId: string;
  readonly outcome: Outcome;
  /** Shows the words beside the thumbs. */
  readonly hasWords?: boolean;
}

const choices = [
  { outcome: 'good', icon: 'thumbUp', label: 'Good sign-up' },
  { outcome: 'bad', icon: 'thumbDown', label: 'Bad sign-up' },
] as const;

/** Two thumbs that report the outcome of a decision; the pressed one removes it. */
export function OutcomeButtons({ gateId, decisionId, outcome, hasWords = false }: Properties) {
  const change = useSetOutcome();
  const set = (next: Outcome, isUndo = false) =>
    change.mutate(
      { gateId, decisionId, outcome: next },
      {
        onSuccess: () => {
          if (isUndo) return;
          const done = next === null ? 'Outcome removed' : `Reported as ${next}`;
          toast(done, { label: 'Undo', run: () => set(outcome, true) });
        },
        onError: (error) => problemToast(whatToDo(error)),
      },
    );
  return choices.map((choice) => {
    const isPressed = outcome === choice.outcome;
    return (
      <Button
        key={choice.outcome}
        kind={isPressed ? 'plain' : 'quiet'}
        icon={choice.icon}
        aria-pressed={isPressed}
        aria-label={choice.label}
        title={choice.label}
        onClick={() => set(isPressed ? null : choice.outcome)}
      >
        {hasWords ? choice.label : undefined}
      </Button>
    );
  });
}
