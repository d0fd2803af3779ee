import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { changeRule, type Draft, type DraftRule, discard } from '../draft.ts';
import { WouldHaveDone } from './would-have-done.tsx';

interface Properties {
  readonly gateId: string;
  readonly draft: Draft;
  readonly rule: DraftRule;
  readonly onClose: () => void;
  readonly onLive: () => void;
}

/** Shows whom a shadow rule would have stopped, before it goes live. */
export function GoLiveDialog({ gateId, draft, rule, onClose, onLive }: Properties) {
  const environment = useEnvironment();
  const matches = `/${environment}/gates/${gateId}/log?matched_rule_id=${rule.id}&range=7d`;
  // Other unsaved changes would mix with the effect of this rule.
  const live = changeRule(discard(draft), rule.key, { mode: 'live' }).now;
  return (
    <Dialog title={`Let “${rule.name}” decide?`} wide onClose={onClose}>
      <WouldHaveDone title="What it would have done" gateId={gateId} rules={live} />
      <p>
        <Link href={matches}>All sign-ups of 7 days that it matched</Link>
      </p>
      <DialogButtons>
        <Button onClick={onClose}>Keep it in shadow</Button>
        <Button kind="primary" onClick={onLive}>
          Go live in the draft
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
