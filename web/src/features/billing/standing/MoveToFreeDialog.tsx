import type { CurrentSubscription_SubscriptionFragment } from '../../../gql/graphql.ts';
import { dateText, plural } from '../../../lib/text/time.ts';
import { Button } from '../../../ui/parts/Button.tsx';
import { Dialog } from '../../../ui/parts/Dialog.tsx';

interface MoveToFreeDialogProps {
  open: boolean;
  current: CurrentSubscription_SubscriptionFragment;
  alertsUsed: number;
  /** Of the free plan. */
  freeLimit: number;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before a paid plan is given up, and says what happens when. */
export function MoveToFreeDialog({ open, current, alertsUsed, freeLimit, onClose, onConfirm }: MoveToFreeDialogProps) {
  const tooMany = Math.max(0, alertsUsed - freeLimit);
  return (
    <Dialog
      role="alertdialog"
      open={open}
      onClose={onClose}
      title="Move to Free?"
      cancel={`Keep ${current.planName}`}
      action={<Button onClick={onConfirm}>Move to Free</Button>}
    >
      {whenText(current)} Free has {plural(freeLimit, 'active alert')} and no text messages.
      {tooMany > 0
        ? ` Your newest ${tooMany === 1 ? 'alert pauses' : `${tooMany} alerts pause`} then; nothing is deleted.`
        : null}
    </Dialog>
  );
}

function whenText({ status, planName, currentPeriodEnd }: CurrentSubscription_SubscriptionFragment): string {
  if (status === 'past_due')
    return `Your payment is overdue, so ${planName} ends at once, and nothing more is charged.`;
  if (!currentPeriodEnd) return `${planName} ends at once.`;
  return `You keep ${planName} until ${dateText(currentPeriodEnd)}, and nothing more is charged.`;
}
