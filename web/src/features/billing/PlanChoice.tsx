import { useState } from 'react';
import type { CurrentSubscription_SubscriptionFragment, PlanGrid_PlanFragment } from '../../gql/graphql.ts';
import { dateText, plural } from '../../lib/text/time.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { Badge, Muted } from '../../ui/parts/Card.tsx';
import { Dialog } from '../../ui/parts/Dialog.tsx';
import { Meter } from '../../ui/parts/sections/Meter.tsx';
import { PlanCard, PlanMark } from './PlanCard.tsx';
import { PlanGrid } from './PlanGrid.tsx';
import { choiceText } from './plans.ts';
import { isPaid, type SubscriptionUse } from './subscription.ts';
import { useSubscribe } from './use-subscribe.ts';

const FREE = '1';

interface PlanChoiceProps {
  /** Undefined while loading. */
  plans: readonly PlanGrid_PlanFragment[] | undefined;
  /** Undefined if it could not be loaded. */
  usage: SubscriptionUse | undefined;
  /** The plan that the viewer chose before there was an account. */
  wantedId: string | null;
}

/** The plans with a button each; the viewer's own is marked, and one that was chosen before. */
export function PlanChoice({ plans, usage, wantedId }: PlanChoiceProps) {
  const { choose, chosenId } = useSubscribe();
  const [isLeaving, setLeaving] = useState(false);
  const current = usage?.current;
  const currentId = current?.planId;
  // Only a paying user has to confirm the move to Free.
  const pick = (planId: string): void => {
    if (current && isPaid(current.planId) && !isPaid(planId)) setLeaving(true);
    else void choose(planId);
  };
  return (
    <>
      <PlanGrid plans={plans} hasNotes>
        {(plan) => {
          const isCurrent = plan.id === currentId;
          const isWanted = plan.id === wantedId && !isCurrent;
          return (
            <PlanCard
              key={plan.id}
              plan={plan}
              headingLevel={2}
              isMarked={isCurrent || isWanted}
              mark={
                isCurrent ? <PlanMark>Current Plan</PlanMark> : isWanted ? <PlanMark>You chose this</PlanMark> : null
              }
              tag={plan.isPopular ? <Badge>Most Popular</Badge> : null}
              note={<LimitNote limit={plan.alertLimit} used={usage?.quota.alertsUsed ?? 0} isCurrent={isCurrent} />}
              action={
                <ChooseButton
                  plan={plan}
                  isCurrent={isCurrent}
                  isFirst={wantedId === null || wantedId === currentId ? plan.isPopular && !isCurrent : isWanted}
                  isPending={plan.id === chosenId}
                  isLocked={chosenId !== null}
                  endsOn={current?.status === 'canceling' ? (current.currentPeriodEnd ?? null) : null}
                  onChoose={() => pick(plan.id)}
                />
              }
            />
          );
        }}
      </PlanGrid>
      {usage ? (
        <MoveToFreeDialog
          open={isLeaving}
          current={usage.current}
          alertsUsed={usage.quota.alertsUsed}
          freeLimit={plans?.find(({ id }) => !isPaid(id))?.alertLimit ?? 1}
          onClose={() => setLeaving(false)}
          onConfirm={() => {
            setLeaving(false);
            void choose(FREE);
          }}
        />
      ) : null}
    </>
  );
}

interface LimitNoteProps {
  limit: number;
  used: number;
  isCurrent: boolean;
}

/** How much of the viewer's plan is used; of a smaller one, what would pause. */
function LimitNote({ limit, used, isCurrent }: LimitNoteProps) {
  const tooMany = used > limit ? `${plural(used - limit, 'alert')} would pause` : null;
  if (!isCurrent) return tooMany ? <Muted fontSize="xs">{tooMany}</Muted> : null;
  return (
    <Meter used={used} limit={limit}>
      {tooMany ? (
        <span>{tooMany}</span>
      ) : (
        <>
          <span>Alert limit</span>
          <span>{`${used} of ${limit} used`}</span>
        </>
      )}
    </Meter>
  );
}

interface ChooseButtonProps {
  plan: PlanGrid_PlanFragment;
  isCurrent: boolean;
  /** Whether this button is the first to be seen. */
  isFirst: boolean;
  isPending: boolean;
  /** While any plan is being chosen. */
  isLocked: boolean;
  /** When the viewer's plan ends, if it was cancelled. */
  endsOn: string | null;
  onChoose: () => void;
}

function ChooseButton({ plan, isCurrent, isFirst, isPending, isLocked, endsOn, onChoose }: ChooseButtonProps) {
  const isNext = endsOn !== null && !isPaid(plan.id);
  if (isNext || (isCurrent && endsOn === null)) {
    return (
      <Button variant="outline" disabled>
        {isNext ? `Starts ${dateText(endsOn)}` : 'Your plan'}
      </Button>
    );
  }
  const text = isCurrent ? 'Resume' : choiceText(plan);
  return (
    <Button
      variant={isFirst ? 'solid' : 'outline'}
      // A disabled button would lose the focus.
      aria-disabled={isLocked}
      aria-busy={isPending}
      aria-label={isPending ? undefined : `${text}: ${plan.name}`}
      onClick={() => (isLocked ? undefined : onChoose())}
    >
      {isPending ? 'Choosing...' : text}
    </Button>
  );
}

interface MoveToFreeDialogProps {
  open: boolean;
  current: CurrentSubscription_SubscriptionFragment;
  alertsUsed: number;
  /** The number of alerts in the free plan. */
  freeLimit: number;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks for a confirmation before a paid plan is cancelled, and explains what happens when. */
function MoveToFreeDialog({ open, current, alertsUsed, freeLimit, onClose, onConfirm }: MoveToFreeDialogProps) {
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
